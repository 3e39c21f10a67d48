import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import { fromPlain } from '../../json/value.ts';
import {
  defaultPreset,
  type Limits,
  presetLimits,
  presetNames,
} from '../../subtitles/lint/limits.ts';
import { type Finding, lint } from '../../subtitles/lint/lint.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import type { Column } from '../../terminal/view.ts';
import { parseDuration } from '../../values/duration.ts';
import { pluralNoun } from '../../values/numbers.ts';
import { type Input, type Option, optionKey, stringOption } from '../command.ts';
import { printDerivedList } from '../read/printDerived.ts';
import type { Source } from './source.ts';

/** The flag of each limit. A `<duration>` is a time, anything else a number. */
const limitFlags: readonly [limit: keyof Limits, flags: string, summary: string][] = [
  ['maxWidth', '--max-width <columns>', 'maximum width of a line of text'],
  ['maxLines', '--max-lines <n>', 'maximum number of lines shown at once'],
  ['maxSpeed', '--max-cps <n>', 'maximum number of characters per second'],
  ['maxWords', '--max-wpm <n>', 'maximum number of words per minute'],
  ['minDuration', '--min-duration <duration>', 'minimum time a line is shown, such as 800ms'],
  ['maxDuration', '--max-duration <duration>', 'maximum time a line is shown, such as 7s'],
  ['minGap', '--min-gap <duration>', 'minimum gap between two lines, such as 80ms'],
];

export const limitOptions: readonly Option[] = [
  {
    flags: '--preset <name>',
    summary: 'style guide whose limits apply',
    choices: presetNames,
    default: defaultPreset,
  },
  ...limitFlags.map(([, flags, summary]) => ({ flags, summary, default: 'from the preset' })),
];

function readLimit(flags: string, value: string): number {
  const [flag = '', kind] = flags.split(' ');
  if (kind === '<duration>') return parseDuration(value, flag);
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(value) && Number(value) > 0) return Number(value);
  throw usageError(`${flag} takes a number above 0, not "${value}"`);
}

export interface CheckedSource {
  source: Source;
  findings: readonly Finding[];
}

/** Flags replace the limits that the preset has for a language. */
export function sourceChecker(input: Input): (source: Source) => CheckedSource {
  const preset =
    presetNames.find((name) => name === stringOption(input, 'preset')) ?? defaultPreset;
  const given: Limits = Object.fromEntries(
    limitFlags.flatMap(([limit, flags]) => {
      const value = stringOption(input, optionKey(flags));
      return value === undefined ? [] : [[limit, readLimit(flags, value)]];
    }),
  );
  const named = stringOption(input, 'language');
  return (source) => {
    const language = named ?? source.language;
    const findings = lint({
      lines: source.lines,
      fileProblems: source.problems,
      limits: presetLimits(preset, language, given),
      language,
      mayLackNumbers: source.format === 'vtt' || source.format === 'ttml',
    });
    return { source, findings };
  };
}

export const errorsIn = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'error');

export function summaryOf({ source: { name, lines }, findings }: CheckedSource): string {
  if (lines.length === 0 && findings.length === 0) return `${name} has no lines to check`;
  const errors = errorsIn(findings).length;
  const warnings = findings.length - errors;
  const parts = [errors && counted(errors, 'error'), warnings && counted(warnings, 'warning')];
  const found = parts.filter(Boolean).join(' and ') || 'no problems';
  return `${name}: ${found} in ${counted(lines.length, 'line')}`;
}

const counted = (count: number, noun: string) => `${count} ${pluralNoun(count, noun)}`;

export async function printFindings(context: Context, checked: readonly CheckedSource[]) {
  const records = checked.flatMap(({ source: { name, isFile }, findings }) =>
    findings.map(({ rule, severity, place, number = null, startTime = null, message, text }) => {
      const where = { number, [isFile ? 'row' : 'place']: place, startTime };
      return fromPlain({ source: name, severity, rule, ...where, message, text });
    }),
  );
  await printDerivedList(context, records, findingColumns(checked));
}

function findingColumns(checked: readonly CheckedSource[]): Column[] {
  const source: Column = { title: 'Source', path: 'source', kind: 'id' };
  const areFiles = checked.every(({ source: { isFile } }) => isFile);
  return [
    ...(checked.length > 1 ? [source] : []),
    {
      title: areFiles ? 'Row' : 'Line',
      path: areFiles ? 'row' : 'number',
      kind: 'number',
      read: (record) =>
        valueAt(record, 'row') ?? valueAt(record, 'number') ?? valueAt(record, 'place'),
    },
    { title: 'Start', path: 'startTime', kind: 'id' },
    { title: 'Level', path: 'severity', kind: 'status', importance: 3 },
    { title: 'Problem', path: 'message', importance: 2 },
    { title: 'Text', path: 'text', importance: 1 },
  ];
}

/** Annotations for GitHub Actions: `::error file=a.srt,line=12,title=overlap::…`. */
export function githubAnnotations({ source, findings }: CheckedSource): string[] {
  return findings.map(({ severity, rule, place, number, message, text }) => {
    const where = source.isFile
      ? { file: source.name, line: String(place), title: rule }
      : { title: `${source.name}, line ${number ?? place}: ${rule}` };
    const properties = Object.entries(where).map(([name, value]) => `${name}=${property(value)}`);
    const full = text === '' ? message : `${message}: ${text}`;
    return `::${severity} ${properties.join(',')}::${data(full)}\n`;
  });
}

/** Escapes like GitHub's own toolkit. Sanitised because logs are also read in terminals. */
const data = (text: string) => sanitiseLines(text.replaceAll('%', '%25')).join('%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
