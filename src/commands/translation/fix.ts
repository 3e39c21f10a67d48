import { MarError, usageError } from '../../errors.ts';
import { type Input, stringOption } from '../../input.ts';
import { confirmOverwrite, isProtected } from '../../output/outputFile.ts';
import type { Reporter } from '../../output/reporter.ts';
import { type Result, textResult } from '../../output/result.ts';
import type { Column } from '../../output/view.ts';
import {
  defaultFormat,
  diffOf,
  encodedLike,
  type Finding,
  type FixedSubtitles,
  fixSubtitles,
  formatNamed,
  formats,
  formatTitles,
  type Line,
  languageClash,
  numberOf,
  plainText,
  type Subtitles,
} from '../../subtitles/index.ts';
import { commandLine } from '../../values/commandLine.ts';
import { plural } from '../../values/numbers.ts';
import type { GlobalFlags } from '../../world.ts';
import { type Command, noImportNote } from '../command.ts';
import { readOutputFile } from '../globals.ts';
import { writeNamedFile } from './exportFiles.ts';
import { countsOf, languageOption, limitOptions, subtitlesChecker } from './findings.ts';
import {
  checkSourceNames,
  encodingOption,
  fileNames,
  forScreen,
  isFileName,
  nameOfSource,
  printOptions,
  readSubtitles,
  reportResult,
} from './source.ts';

const rewritten = formats.filter(({ rewriteWarning }) => rewriteWarning !== undefined);

export const command: Command = {
  name: 'fix',
  isPaged: true,
  summary: 'Fix what can be fixed automatically in a subtitle file',
  details:
    'Fixes gaps, durations, reading speed (by a later end), ellipses, dashes, double spaces, numbers, tags that are not closed, and the break between two lines, by the limits of "mar translation check". Words and start times never change. Prints a diff, and writes only with -O or --in-place. Exits with 3 if problems remain. ' +
    noImportNote,
  arguments: [
    {
      name: 'file',
      summary: `file: ${fileNames}, a path with a slash, or - for standard input`,
      completes: 'file',
    },
  ],
  options: [
    {
      flags: '-O, --output <file>',
      summary: 'file to write; - prints the fixed subtitles instead of the diff',
      completes: 'file',
    },
    { flags: '--in-place', summary: 'replace the file', excludes: ['--output'] },
    {
      flags: '--skip-bad-times',
      summary: `leave out lines with invalid times instead of failing (${formatTitles('and', rewritten)})`,
    },
    ...limitOptions,
    languageOption,
    encodingOption,
  ],
  examples: {
    'Show what would change': 'mar translation fix movie.fr-CA.srt --fps 25',
    'Change the file': 'mar translation fix movie.fr-CA.srt --fps 25 --in-place',
    'Write another file': 'mar translation fix movie.fr-CA.srt -O fixed.fr-CA.srt',
  },
  async *run(context, input) {
    const [word = ''] = input.arguments;
    checkSourceNames([word]);
    if (!isFileName(word)) {
      throw usageError(
        `${word} is not a file, and fix takes only files`,
        `To export a work request first, run: ${commandLine`mar translation export ${word} -O ${word}.${defaultFormat.name}`}`,
      );
    }
    const target = readTarget(input, word);
    const file = target === '-' ? undefined : target;
    if (file !== undefined && !input.options.inPlace && (await isProtected(context, file))) {
      await confirmOverwrite(context, [file]);
    }
    const subtitles = await readSubtitles(context, input, word);
    const options = printOptions(context, input);
    checkOwnFormat(file, subtitles);
    const check = subtitlesChecker(context, input);
    const before = await check(subtitles);
    const clash = languageClash(before);
    const same: FixedSubtitles = {
      before: subtitles,
      after: subtitles,
      changes: [],
      addedRows: [],
    };
    const fixed = clash
      ? same
      : context.world.interruptible(() =>
          fixSubtitles(subtitles, { ...options, ...before, frameRate: options.frameRate }),
        );
    const after = fixed.after === subtitles ? before : await check(fixed.after);
    if (target === '-') {
      yield textResult(({ isTerminal }) =>
        isTerminal
          ? forScreen(fixed.text ?? subtitles.file?.text ?? '', true)
          : fileContent(fixed, context.reporter),
      );
    } else {
      yield* changesOf(fixed, fixedRules(before.findings, after.findings), context.flags);
      if (file !== undefined) {
        const flag = input.options.inPlace ? '--in-place' : '-O';
        const content = fileContent(fixed, context.reporter, file);
        await writeNamedFile(file, content, { flag, value: file });
      }
    }
    const findings = { before: before.findings, after: after.findings };
    report(context.reporter, fixed, findings, target, clash !== undefined);
  },
};

function fileContent({ text, before }: FixedSubtitles, reporter: Reporter, target?: string) {
  const { file: old, format } = before;
  const isUnicode = old?.encoding.startsWith('utf-') === true;
  if (!old || (text === undefined && isUnicode)) return old?.bytes ?? '';
  const { rewriteWarning } = format ?? {};
  if (rewriteWarning && text !== undefined && target !== undefined)
    reporter.warn('rewritten', `${target} ${rewriteWarning}`);
  // A file that is written anew is in UTF-8, as its declaration says.
  const encoded = rewriteWarning === undefined ? encodedLike(old, text ?? old.text) : undefined;
  if (encoded === undefined && old.encoding !== 'utf-8') {
    reporter.warn('encoding', `written as UTF-8, not as ${old.encoding}`);
  }
  return encoded ?? text ?? old.text;
}

/** A file, or `-` for standard output; undefined if nothing is written. */
type Target = string | undefined;

function readTarget(input: Input, word: string): Target {
  const output = stringOption(input, 'output');
  if (input.options.inPlace && word === '-') {
    const facts = { flag: '--in-place' };
    throw usageError('--in-place needs a file', 'Use -O FILE to write.', facts);
  }
  return input.options.inPlace ? word : (readOutputFile(output) ?? output);
}

/** A file that is named like another format would be misread later. */
function checkOwnFormat(file: string | undefined, { name, format }: Subtitles): void {
  const named = formatNamed(file ?? '');
  if (!format || named === undefined || named === format || file === name) return;
  throw usageError(
    `-O ${file}: ${name} is written in its own format, ${format.name}`,
    `End the name in .${format.name}.`,
    { flag: '-O', value: file },
  );
}

/** The rules of the findings that are gone, by the index of the cue that was changed for them. */
function fixedRules(before: readonly Finding[], after: readonly Finding[]) {
  const key = ({ line, rule }: Finding) => `${line?.index} ${rule}`;
  const left = new Set(after.map(key));
  const rules = new Map<number | undefined, Set<string>>();
  for (const { line, rule } of before.filter((finding) => !left.has(key(finding)))) {
    // Found where a cue starts, and fixed where the one before it ends.
    const isOfTwo = rule === 'gap' || rule === 'overlap';
    const index = line && (isOfTwo ? line.index - 1 : line.index);
    rules.set(index, (rules.get(index) ?? new Set()).add(rule));
  }
  return rules;
}

/** A diff for people, and a list of changes for programs and for those who choose a format. */
function* changesOf(
  fixed: FixedSubtitles,
  rules: ReadonlyMap<number | undefined, ReadonlySet<string>>,
  { format, jq, columns }: GlobalFlags,
): Generator<Result> {
  const isChosen = (format ?? jq ?? columns) !== undefined;
  if (!isChosen && fixed.text !== undefined) {
    const diff = diffOf(fixed);
    yield textResult(({ isTerminal }) => forScreen(diff, isTerminal), { onlyFor: 'people' });
  }
  const { before, after, changes, dropped = [] } = fixed;
  const rows = new Map(dropped.map((index) => [index, before.lines[index]?.place ?? 0]));
  for (const { index, row } of changes) rows.set(index, row);
  const records = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([index, line]) => {
      const [old, now] = [before.lines[index], after.lines[index]];
      const where = { source: before.name, line, cue: old?.number ?? index + 1 };
      const isDropped = dropped.includes(index);
      const names = isDropped ? [] : [...(rules.get(index) ?? [])];
      const sides = { before: sideOf(old), after: isDropped ? null : sideOf(now) };
      return { ...where, fixed: names, dropped: isDropped, ...sides };
    });
  const list = reportResult(records, changeColumns);
  yield isChosen ? list : { ...list, onlyFor: 'programs' };
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
  reporter: Reporter,
  { changes, text, after: subtitles }: FixedSubtitles,
  { before, after: remaining }: Record<'before' | 'after', readonly Finding[]>,
  target: Target,
  clash: boolean,
): void {
  const { name } = subtitles;
  const gone = Math.max(0, before.length - remaining.length);
  const isChanged = text !== undefined;
  if (isChanged) {
    const cues = changes.length > 0 ? ` in ${plural(changes.length, 'cue')}` : '';
    const problems = `${plural(gone, 'problem')}${cues}`;
    reporter.reportOnce(
      target === undefined ? `${name}: ${problems} can be fixed` : `${name}: fixed ${problems}`,
    );
  } else if (before.length === 0) reporter.reportOnce(`${name}: nothing to fix`);
  const file = target === '-' ? undefined : target;
  if (file !== undefined) reporter.reportOnce(`Wrote ${file}`);
  else if (isChanged && target === undefined) {
    const inPlace = name === nameOfSource('-') ? '' : '--in-place or ';
    reporter.reportOnce(`Nothing was written. Use ${inPlace}-O FILE to write.`);
  }
  if (remaining.length === 0) return;
  const listed = remaining.slice(0, maxListed).map((finding) => {
    const cue = finding.line ? `, cue ${numberOf(finding.line)}` : '';
    return `Line ${finding.place}${cue}: ${finding.message}.`;
  });
  if (clash)
    listed.push('Nothing was changed. To fix the file, say its language: --language CODE.');
  const more = remaining.length - listed.length;
  const checkAll = commandLine`mar translation check ${file ?? name}`;
  const all = more > 0 ? [`${more} more. To see all, run: ${checkAll}`] : [];
  throw new MarError(
    'check',
    `${name}: ${countsOf(remaining)} in ${plural(subtitles.lines.length, 'cue')} cannot be fixed automatically`,
    { hint: [...listed, ...all].join('\n') },
  );
}
