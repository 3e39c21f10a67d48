import path from 'node:path';
import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { fromPlain, type Json } from '../../json/value.ts';
import type { FixedFile } from '../../subtitles/fix/fixFile.ts';
import type { Line } from '../../subtitles/lines.ts';
import type { Finding } from '../../subtitles/lint/lint.ts';
import { plainText } from '../../subtitles/spans.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import type { Column } from '../../terminal/view.ts';
import { commandLine } from '../../values/commandLine.ts';
import { type Command, type Input, noImportNote, stringOption } from '../command.ts';
import { printDerivedList } from '../read/printDerived.ts';
import { writeNamedFile } from './exportFiles.ts';
import {
  counted,
  countsOf,
  languageOption,
  limitOptions,
  limitReader,
  placeOf,
  sourceChecker,
} from './findings.ts';
import {
  checkSourceNames,
  encodingOption,
  graphicsOption,
  isFileName,
  readSourceFile,
  rememberSources,
  type Source,
  sourceArgument,
  translationField,
} from './source.ts';

const formats = ['srt', 'vtt'] as const;
type Format = (typeof formats)[number];

export const command: Command = {
  name: 'fix',
  isPaged: true,
  summary: 'Fix what needs no human in a translation or a subtitle file',
  details: `Fixes gaps, durations, reading speed (by a later end), ellipses, dashes, double spaces, numbers, tags that are not closed, and the break between two lines, by the limits of "mar translation check". Words and start times never change. Prints a diff, and writes only with -O or --in-place. Exits with 3 if problems remain. ${noImportNote}`,
  arguments: [sourceArgument],
  options: [
    {
      flags: '-O, --output-file <name>',
      summary: 'file to write; - prints the fixed subtitles instead of the diff',
      completes: 'file',
    },
    { flags: '--in-place', summary: 'replace the file' },
    {
      flags: '--format <format>',
      summary: 'format to write for a work request; a file keeps its own',
      choices: formats,
      default: 'from the file name, else srt',
    },
    {
      flags: '--skip-bad-times',
      summary: 'leave out lines of a work request with invalid times instead of failing',
    },
    graphicsOption,
    ...limitOptions,
    languageOption,
    encodingOption,
  ],
  examples: [
    { does: 'Show what would change', line: 'mar translation fix movie.fr-CA.srt --fps 25' },
    { does: 'Change the file', line: 'mar translation fix movie.fr-CA.srt --fps 25 --in-place' },
    {
      does: 'Save the fixed lines of a work request',
      line: 'mar translation fix wr-2021 -O trailer.vtt',
    },
  ],
  async run(context, input) {
    const [word = ''] = input.arguments;
    checkSourceNames([word]);
    const target = readTarget(input, word);
    const { fixFile } = await import('../../subtitles/fix/fixFile.ts');
    const original = await readOriginal(context, input, word, target.format);
    const { name, text, language, isFile } = original;
    checkOwnFormat(target.file, text, isFile ? name : undefined);
    const limitsOf = limitReader(context, input);
    const { limits } = limitsOf({ name, isFile, language, lines: [], problems: [] });
    const fixed = context.world.interruptible(() => fixFile(text, name, { limits }));
    const check = sourceChecker(context, input);
    const findingsIn = (subtitles: FixedFile['before']) =>
      check({ ...subtitles, name, isFile: true, language }).findings;
    const before = findingsIn(fixed.before);
    const remaining = fixed.after === fixed.before ? before : findingsIn(fixed.after);

    if (target.isStandardOutput) await printText(context, fixed.text);
    else await printChanges(context, name, fixed, fixedRules(before, remaining));
    if (target.file !== undefined) {
      await writeNamedFile(target.file, original.encode(fixed.text));
    }
    if (original.source) await rememberSources(context, [original.source]);
    report(context, { name, fixed, before, remaining, target });
  },
};

interface Target {
  /** Undefined if nothing is written. */
  file?: string;
  isStandardOutput: boolean;
  /** For a work request. */
  format: Format;
}

function readTarget(input: Input, word: string): Target {
  const output = stringOption(input, 'outputFile');
  const format = stringOption(input, 'format');
  const isFile = isFileName(word);
  if (output === '') throw usageError('-O is empty', 'Give a file name, or - for standard output.');
  if (input.options.inPlace) {
    if (output !== undefined) throw usageError('--in-place cannot be used with -O');
    if (word === '-') throw usageError('--in-place needs a file', 'Use -O FILE to write.');
    if (!isFile)
      throw usageError(
        `--in-place cannot change ${word}`,
        `${noImportNote} Use -O FILE to write a file.`,
      );
  }
  if (isFile && format !== undefined) {
    throw usageError('--format is for work requests', 'A file is written in its own format.');
  }
  const named = formats.find(
    (one) =>
      one ===
      path
        .extname(output ?? '')
        .slice(1)
        .toLowerCase(),
  );
  const isStandardOutput = output === '-';
  if (!isFile && output !== undefined && !isStandardOutput && format === undefined && !named) {
    throw usageError(
      `-O ${output}: unknown format`,
      'End the name in .srt or .vtt, or add --format.',
    );
  }
  return {
    file: input.options.inPlace ? word : isStandardOutput ? undefined : output,
    isStandardOutput,
    format: formats.find((one) => one === format) ?? named ?? 'srt',
  };
}

/** A file that is named like another format would be misread later. */
function checkOwnFormat(file: string | undefined, text: string, source: string | undefined): void {
  const named = formats.find(
    (one) =>
      one ===
      path
        .extname(file ?? '')
        .slice(1)
        .toLowerCase(),
  );
  if (source === undefined || named === undefined) return;
  const own = text.startsWith('WEBVTT') || /\.vtt$/i.test(source) ? 'vtt' : 'srt';
  if (named === own || file === source) return;
  throw usageError(
    `-O ${file}: ${source} is written in its own format, ${own}`,
    `End the name in .${own}.`,
  );
}

interface Original {
  name: string;
  text: string;
  isFile: boolean;
  language?: string;
  source?: Source;
  encode(text: string): string | Uint8Array;
}

async function readOriginal(
  context: Context,
  input: Input,
  word: string,
  format: Format,
): Promise<Original> {
  if (!isFileName(word)) return readExport(context, input, word, format);
  const { name, bytes } = await readSourceFile(context, word);
  const { decode } = await import('../../subtitles/read.ts');
  const encoding = stringOption(input, 'encoding');
  const text = decode(bytes, name, encoding);
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isUtf16 = isLittle || (first === 0xfe && second === 0xff);
  const mark = isUtf16 || first === 0xef ? '\ufeff' : '';
  const encode = (fixed: string) => {
    const marked = `${mark}${fixed}`;
    if (isUtf16) {
      const little = Buffer.from(marked, 'utf16le');
      return isLittle ? little : little.swap16();
    }
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding) && mark === '') {
      context.reportOnce(`warning: written as UTF-8, not as ${encoding}`);
    }
    return marked;
  };
  return { name, text, isFile: true, encode };
}

/** The lines of a work request, as `translation export` writes them. */
async function readExport(context: Context, input: Input, id: string, format: Format) {
  const client = await context.client();
  const record = await client.call(endpoints.workRequestGet, { id });
  const field = translationField(input);
  const [{ exportText }, { readLines }] = await Promise.all([
    import('../../subtitles/write.ts'),
    import('../../subtitles/lines.ts'),
  ]);
  const { language } = await readLines(id, record.value, field);
  const text = await exportText(id, record, format, {
    field,
    skipsBadTimes: input.options.skipBadTimes === true,
    csv: { raw: false, isTerminal: false },
    warn: (message) => context.reportOnce(`warning: ${message}`),
  });
  const source = { name: id, isFile: false, lines: [], problems: [], record };
  return { name: id, text, isFile: false, language, source, encode: (fixed: string) => fixed };
}

/** The rules of the findings that are gone, by the index of the cue. */
function fixedRules(before: readonly Finding[], after: readonly Finding[]) {
  const key = ({ index, rule }: Finding) => `${index} ${rule}`;
  const left = new Set(after.map(key));
  const rules = new Map<number | undefined, Set<string>>();
  for (const finding of before) {
    if (left.has(key(finding))) continue;
    const { index, rule } = finding;
    rules.set(index, (rules.get(index) ?? new Set()).add(rule));
  }
  return rules;
}

async function printText({ streams: { stdout } }: Context, text: string): Promise<void> {
  await stdout.write(stdout.isTerminal ? sanitiseLines(text).join('\n') : text);
}

async function printChanges(
  context: Context,
  name: string,
  fixed: FixedFile,
  rules: ReadonlyMap<number | undefined, ReadonlySet<string>>,
): Promise<void> {
  const { format, jq, columns } = context.flags;
  const isPrinted = (format ?? jq ?? columns) !== undefined || context.printer.isForPrograms;
  if (!isPrinted) {
    const { diffOf } = await import('../../subtitles/fix/fixFile.ts');
    return printText(context, diffOf(fixed, name));
  }
  const records = fixed.changes.map(({ index, before }): Json => {
    const [old, now] = [fixed.before.lines[index], fixed.after.lines[index]];
    const where = { source: name, line: before.row, cue: old?.number ?? index + 1 };
    const sides = { before: sideOf(old), after: sideOf(now) };
    return fromPlain({ ...where, fixed: [...(rules.get(index) ?? [])], ...sides });
  });
  await printDerivedList(context, records, changeColumns);
}

const sideOf = (line: Line | undefined) =>
  line
    ? { startTime: line.start.text, stopTime: line.stop.text, text: plainText(line.spans) }
    : null;

const changeColumns: readonly Column[] = [
  { title: 'Line', path: 'line', kind: 'number' },
  { title: 'Cue', path: 'cue', kind: 'number' },
  { title: 'Fixed', path: 'fixed', importance: 2 },
  { title: 'Stop', path: 'after.stopTime', kind: 'id' },
  { title: 'Text', path: 'after.text', importance: 1 },
];

const maxListed = 10;

function report(
  context: Context,
  outcome: {
    name: string;
    fixed: FixedFile;
    before: readonly Finding[];
    remaining: readonly Finding[];
    target: Target;
  },
): void {
  const { name, fixed, before, remaining, target } = outcome;
  const { changes, after, addsSignature } = fixed;
  const gone = Math.max(0, before.length - remaining.length);
  const isChanged = changes.length > 0 || addsSignature;
  if (isChanged) {
    const cues = changes.length > 0 ? ` in ${counted(changes.length, 'cue')}` : '';
    context.reportOnce(`${name}: fixed ${counted(gone, 'problem')}${cues}`);
  } else if (before.length === 0) context.reportOnce(`${name}: nothing to fix`);
  if (target.file !== undefined) context.reportOnce(`Wrote ${target.file}`);
  else if (isChanged && !target.isStandardOutput) {
    context.reportOnce('Nothing was written. Use --in-place or -O FILE to write.');
  }
  if (remaining.length === 0) return;
  const source: Source = { ...after, name, isFile: true };
  const listed = remaining.slice(0, maxListed).map((finding) => {
    const { line, cue } = placeOf(source, finding) as { line: number; cue: number | null };
    return `Line ${line}${cue === null ? '' : `, cue ${cue}`}: ${finding.message}.`;
  });
  const more = remaining.length - listed.length;
  const file = target.file ?? name;
  const all =
    more > 0
      ? [`${more} more. To see all, run: ${commandLine`mar translation check ${file}`}`]
      : [];
  throw new MarError(
    'refused',
    `${name}: ${countsOf(remaining)} in ${counted(after.lines.length, 'cue')} ${remaining.length === 1 ? 'needs' : 'need'} a human`,
    { hint: [...listed, ...all].join('\n') },
  );
}
