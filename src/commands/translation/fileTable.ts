import path from 'node:path';
import { MarError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import type { Column } from '../../output/view.ts';
import { type CheckedSubtitles, errorsIn, factsOf } from '../../subtitles/index.ts';
import { plural } from '../../values/numbers.ts';
import { isMissing } from './expect.ts';
import { countsOf, findingRecords } from './findings.ts';

const errorCount = ({ findings }: CheckedSubtitles) => errorsIn(findings).length;

export const worstFirst = (checked: readonly CheckedSubtitles[]) =>
  checked.toSorted(
    (a, b) => errorCount(b) - errorCount(a) || b.findings.length - a.findings.length,
  );

/** What the results need of a file, so that the memory does not grow with the number of files. */
export function withoutLines(checked: CheckedSubtitles): CheckedSubtitles {
  const { file } = checked.subtitles;
  const noContent = file && { ...file, text: '', bytes: new Uint8Array() };
  return { ...checked, subtitles: { ...checked.subtitles, lines: [], file: noContent } };
}

/** A file that cannot be read is judged like the others. */
export function unread(name: string, { message, details }: MarError): CheckedSubtitles {
  const text = [message.replace(`${name} `, ''), details.hint].filter(Boolean).join('. ');
  return {
    subtitles: { name, lines: [], problems: [], claims: [] },
    ...{ cues: 0, claims: [], limits: {}, given: {}, preset: 'none' },
    findings: [{ rule: 'file', severity: 'error', place: 1, message: text, text: '' }],
  };
}

/** A row for each file, with what it is taken for. */
export const fileRecord = (checked: CheckedSubtitles) => ({
  source: checked.subtitles.name,
  errors: errorCount(checked),
  warnings: checked.findings.length - errorCount(checked),
  cues: checked.cues,
  ...factsOf(checked),
  findings: findingRecords([checked]),
});

/** `ja (name)`: a value, and what says so. */
const withOrigin = (title: string, short: string, field: string, importance: number): Column => ({
  ...{ title, short, path: field, importance },
  show(record) {
    const [value, from] = [valueAt(record, field), valueAt(record, `${field}From`)];
    return value && from && from !== 'assumed' ? `${value} (${from})` : (value ?? '');
  },
});

export function fileColumns(checked: readonly CheckedSubtitles[]): Column[] {
  const short = shortNames(checked);
  const show = (record: unknown) => short(String(valueAt(record, 'source')));
  return [
    { title: 'File', path: 'source', kind: 'id', show },
    { title: 'Errors', short: 'Err', path: 'errors', kind: 'number', importance: 5 },
    { title: 'Warnings', short: 'Warn', path: 'warnings', kind: 'number', importance: 5 },
    { title: 'Cues', path: 'cues', kind: 'number', importance: 4 },
    withOrigin('Language', 'Lang', 'language', 5),
    withOrigin('Encoding', 'Encoding', 'encoding', 4),
    withOrigin('Frame rate', 'Fps', 'frameRate', 2),
    { title: 'Format', path: 'format', importance: 1 },
    { title: 'Guide', path: 'guide', importance: 1 },
  ];
}

/** Without the folder that all files are in. */
function shortNames(checked: readonly CheckedSubtitles[]) {
  const folders = new Set(
    checked.flatMap(({ subtitles: { name, format } }) => (format ? path.dirname(name) : [])),
  );
  const [folder] = folders.size === 1 ? folders : [];
  return (name: string) => (folder === path.dirname(name) ? path.basename(name) : name);
}

export function deliverySummary(checked: readonly CheckedSubtitles[]): string {
  const wrong = checked.filter((one) => errorCount(one) > 0 && !isMissing(one)).length;
  const missing = checked.filter(isMissing).length;
  const files = plural(checked.length - missing, 'file');
  const parts = [
    wrong > 0 ? `errors in ${wrong} of ${files}` : files,
    missing > 0 && `${missing} missing`,
    countsOf(checked.flatMap(({ findings }) => findings)) || 'no problems',
  ];
  return parts.filter(Boolean).join('; ');
}

const maxListed = 8;

/** Names what concerns a file as a whole; mistakes in cues are only counted. */
export function deliveryError(checked: readonly CheckedSubtitles[]): MarError {
  const short = shortNames(checked);
  const listed = checked.flatMap(({ subtitles, findings }) =>
    findings
      .filter(({ line, severity, rule }) => !line && severity === 'error' && rule !== 'empty')
      .map(({ message }) => `${short(subtitles.name)}: ${message}`),
  );
  const more = listed.length > maxListed ? [`${listed.length - maxListed} more.`] : [];
  const hint = [
    ...listed.slice(0, maxListed),
    ...more,
    'For the cues, add --details or --file NAME.',
  ];
  return new MarError('check', deliverySummary(checked), { hint: hint.join('\n') });
}
