import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { fromPlain, type Json } from '../../json/value.ts';
import type { FixedFile } from '../../subtitles/fix/fixFile.ts';
import type { Line } from '../../subtitles/lines.ts';
import type { Finding } from '../../subtitles/lint/lint.ts';
import { plainText } from '../../subtitles/spans.ts';
import type { Column } from '../../terminal/view.ts';
import { commandLine } from '../../values/commandLine.ts';
import { sanitiseLines } from '../../values/sanitise.ts';
import { type Command, type Input, noImportNote, stringOption } from '../command.ts';
import { confirmOverwrite, isProtected, overwriteFileOption } from '../outputFile.ts';
import { printDerivedList } from '../read/printDerived.ts';
import { writeNamedFile } from './exportFiles.ts';
import {
  counted,
  countsOf,
  languageOption,
  limitOptions,
  placeOf,
  sourceChecker,
} from './findings.ts';
import {
  type FixFormat,
  fixFormats,
  fixOriginal,
  formatNamed,
  type Original,
  readOriginal,
} from './fixSource.ts';
import {
  checkSourceNames,
  encodingOption,
  graphicsOption,
  isFileName,
  rememberSources,
  type Source,
  sourceArgument,
} from './source.ts';

export const command: Command = {
  name: 'fix',
  isPaged: true,
  summary: 'Fix what can be fixed automatically in a translation or a subtitle file',
  details:
    'Fixes gaps, durations, reading speed (by a later end), ellipses, dashes, double spaces, numbers, tags that are not closed, and the break between two lines, by the limits of "mar translation check". Words and start times never change. Prints a diff, and writes only with -O or --in-place. Exits with 3 if problems remain. ' +
    noImportNote,
  arguments: [sourceArgument],
  options: [
    {
      flags: '-O, --output-file <name>',
      summary: 'file to write; - prints the fixed subtitles instead of the diff',
      completes: 'file',
    },
    overwriteFileOption,
    { flags: '--in-place', summary: 'replace the file' },
    {
      flags: '--format <format>',
      summary: 'format to write for a work request; a file keeps its own',
      choices: fixFormats,
      default: 'from the file name, else srt',
    },
    {
      flags: '--skip-bad-times',
      summary: 'leave out lines with invalid times instead of failing (work requests and TTML)',
    },
    graphicsOption,
    ...limitOptions,
    languageOption,
    encodingOption,
  ],
  examples: {
    'Show what would change': 'mar translation fix movie.fr-CA.srt --fps 25',
    'Change the file': 'mar translation fix movie.fr-CA.srt --fps 25 --in-place',
    'Save the fixed lines of a work request': 'mar translation fix wr-2021 -O trailer.vtt',
  },
  async run(context, input) {
    const [word = ''] = input.arguments;
    checkSourceNames([word]);
    const target = readTarget(input, word);
    const { file } = target;
    if (file !== undefined && !input.options.inPlace && (await isProtected(input, file))) {
      await confirmOverwrite(context, [file]);
    }
    const original = await readOriginal(context, input, word, target.format);
    const { name, isFile, language, format } = original;
    checkOwnFormat(target.file, original);
    const source: Source = { name, isFile, language, lines: [], problems: [] };
    const fixed = await fixOriginal(context, input, original, source);
    const check = sourceChecker(context, input);
    const findingsIn = (subtitles: FixedFile['before']) =>
      check({ ...source, ...subtitles, isFile: true }).findings;
    const before = findingsIn(fixed.before);
    const remaining = fixed.after === fixed.before ? before : findingsIn(fixed.after);

    const isChanged = fixed.changes.length > 0 || fixed.addsSignature;
    // TTML is rewritten only if something changes.
    const isKept = !isChanged && format === 'ttml';
    const text = isKept ? new TextDecoder().decode(original.bytes) : fixed.text;
    if (target.isStandardOutput) await printText(context, text);
    else await printChanges(context, name, fixed, fixedRules(before, remaining));
    if (target.file !== undefined) {
      if (isFile && format === 'ttml' && isChanged) {
        context.reportOnce(
          `warning: ${target.file} is rewritten as IMSC 1.1 Text, without other styles, regions and metadata`,
        );
      }
      await writeNamedFile(target.file, isChanged ? original.encode(text) : original.bytes);
    }
    if (original.source) await rememberSources(context, [original.source]);
    report(context, { name, fixed, before, remaining, target });
  },
};

interface Target {
  /** Undefined if nothing is written. */
  file?: string;
  isStandardOutput: boolean;
  mayBeInPlace: boolean;
  /** For a work request. */
  format: FixFormat;
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
  const named = formatNamed(output ?? '');
  const isStandardOutput = output === '-';
  if (!isFile && output !== undefined && !isStandardOutput && format === undefined && !named) {
    throw usageError(
      `-O ${output}: unknown format`,
      'End the name in .srt, .vtt or .ttml, or add --format.',
    );
  }
  return {
    file: input.options.inPlace ? word : isStandardOutput ? undefined : output,
    isStandardOutput,
    mayBeInPlace: isFile && word !== '-',
    format: fixFormats.find((one) => one === format) ?? named ?? 'srt',
  };
}

/** A file that is named like another format would be misread later. */
function checkOwnFormat(file: string | undefined, { name, isFile, format }: Original): void {
  const named = formatNamed(file ?? '');
  if (!isFile || named === undefined || named === format || file === name) return;
  throw usageError(
    `-O ${file}: ${name} is written in its own format, ${format}`,
    `End the name in .${format}.`,
  );
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
    const problems = `${counted(gone, 'problem')}${cues}`;
    const isWritten = target.file !== undefined || target.isStandardOutput;
    context.reportOnce(
      isWritten ? `${name}: fixed ${problems}` : `${name}: ${problems} can be fixed`,
    );
  } else if (before.length === 0) context.reportOnce(`${name}: nothing to fix`);
  if (target.file !== undefined) context.reportOnce(`Wrote ${target.file}`);
  else if (isChanged && !target.isStandardOutput) {
    const inPlace = target.mayBeInPlace ? '--in-place or ' : '';
    context.reportOnce(`Nothing was written. Use ${inPlace}-O FILE to write.`);
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
    `${name}: ${countsOf(remaining)} in ${counted(after.lines.length, 'cue')} cannot be fixed automatically`,
    { hint: [...listed, ...all].join('\n') },
  );
}
