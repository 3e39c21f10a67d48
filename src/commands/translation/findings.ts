import type { Context } from '../../context.ts';
import { valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import type { Finding } from '../../subtitles/lint/finding.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import type { Column, View } from '../../terminal/view.ts';
import { pluralNoun } from '../../values/counts.ts';
import type { Source } from './source.ts';

/** What was found in a source. */
export interface Found {
  source: Source;
  findings: readonly Finding[];
}

/** `wr-2009: 3 errors and 1 warning in 5 lines`. */
export function summaryOf({ source: { name, lines }, findings }: Found): string {
  if (lines.length === 0 && findings.length === 0) return `${name} has no lines to check`;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const parts = [
    errors > 0 ? amount(errors, 'error') : '',
    warnings > 0 ? amount(warnings, 'warning') : '',
  ].filter((part) => part !== '');
  return `${name}: ${parts.join(' and ') || 'nothing found'} in ${amount(lines.length, 'line')}`;
}

const amount = (count: number, noun: string) => `${count} ${pluralNoun(count, noun)}`;

/** As a table with the words in question, or as records. */
export async function printFindings(context: Context, found: readonly Found[]): Promise<void> {
  const records = found.flatMap(({ source, findings }) =>
    findings.map((finding) => recordOf(source, finding)),
  );
  await context.printer.records(records, viewOf(found));
}

function recordOf({ name, isFile }: Source, finding: Finding): ServiceRecord {
  const { rule, severity, place, number, startTime, message, text } = finding;
  const value = {
    source: name,
    severity,
    rule,
    number: number ?? null,
    [isFile ? 'row' : 'place']: place,
    startTime: startTime ?? null,
    message,
    text,
  };
  return ServiceRecord.fromValue(value);
}

/** In which of several sources it is, is told where there are several. */
function viewOf(found: readonly Found[]): View {
  const source: Column = { title: 'Source', path: 'source', kind: 'id' };
  const isFiles = found.every(({ source: { isFile } }) => isFile);
  const place: Column = {
    title: isFiles ? 'Row' : 'Line',
    path: isFiles ? 'row' : 'number',
    kind: 'number',
    read: placeOf,
  };
  return {
    columns: [
      ...(found.length > 1 ? [source] : []),
      place,
      { title: 'Start', path: 'startTime', kind: 'id' },
      { title: 'Level', path: 'severity', kind: 'status', importance: 3 },
      { title: 'Problem', path: 'message', importance: 2 },
      { title: 'Text', path: 'text', importance: 1 },
    ],
  };
}

/** The row of a file, the number of a line; without one, its place. */
const placeOf = (record: unknown) =>
  valueAt(record, 'row') ?? valueAt(record, 'number') ?? valueAt(record, 'place');

/** Annotations of GitHub Actions: `::error file=a.srt,line=12,title=overlap::…`. */
export function githubLines({ source, findings }: Found): string[] {
  return findings.map(({ severity, rule, place, number, message, text }) => {
    const where = source.isFile
      ? { file: source.name, line: String(place), title: rule }
      : { title: `${source.name}, line ${number ?? place}: ${rule}` };
    const properties = Object.entries(where).map(([name, value]) => `${name}=${property(value)}`);
    const shown = text === '' ? message : `${message}: ${text}`;
    return `::${severity} ${properties.join(',')}::${data(shown)}\n`;
  });
}

/** As GitHub's own toolkit escapes them; a log is read in terminals too. */
const data = (text: string) => sanitiseLines(text.replaceAll('%', '%25')).join('%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
