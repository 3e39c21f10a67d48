import { existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { MarError, usageError } from '../../errors.ts';
import { type Input, type Option, stringOption } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import { agree, claimsOf, isLanguage, languageName, localeOf } from '../../languages/language.ts';
import { fileNameFacts } from '../../languages/languageOfName.ts';
import type { Column } from '../../output/view.ts';
import { csvRecords } from '../../rows/csv.ts';
import { decodeText } from '../../rows/source.ts';
import { findSeparator } from '../../rows/tableRows.ts';
import type { Context } from '../../session/context.ts';
import {
  type CheckedSubtitles,
  type Counts,
  countsOf,
  type DeliveryFinding,
  deliveryFinding,
  factsOf,
  type Subtitles,
  takenFor,
} from '../../subtitles/index.ts';
import { plural } from '../../values/numbers.ts';
import { countText, findingRecords } from './findings.ts';
import { readBytes, readRequest } from './source.ts';

export const expectOption: Option = {
  flags: '--expect <list>',
  summary:
    'languages or work requests that the files are for: fra,deu,es-419, or a file with a list',
  completes: 'file',
};

interface Expected {
  code: string;
  /** The work request that needs it. */
  id?: string;
}

/** The languages of `--expect`; those of work requests are read from the service. */
export async function readExpected({ session }: Context, input: Input): Promise<Expected[]> {
  const list = stringOption(input, 'expect');
  if (list === undefined) return [];
  const words = existsSync(list)
    ? await wordsOfFile(list)
    : list.split(',').map((word) => word.trim());
  const facts = { flag: '--expect', value: list };
  if (words.length === 0) throw usageError(`${list} names no languages`, undefined, facts);
  const expected: Expected[] = [];
  for (const word of words) {
    if (isLanguage(word)) expected.push({ code: word });
    else if (/^[a-z]{0,3}$|[./\\]/i.test(word)) {
      const hint = 'Use codes such as fra or es-419, ids of work requests, or a file with a list.';
      throw usageError(`"${word}" is no language, id or file`, hint, facts);
    } else {
      const { language } = await readRequest(session, input, word);
      if (language === undefined) throw usageError(`${word} has no language`, undefined, facts);
      expected.push({ code: language, id: word });
    }
  }
  return expected;
}

/** The column of languages or ids in a table; of a list without a header, the first column. */
async function wordsOfFile(file: string): Promise<string[]> {
  const text = decodeText(Readable.from([readBytes(file)]), file);
  const { value: start = '' } = await text.next();
  const rows: string[][] = [];
  const whole = Readable.from([start]);
  for await (const { cells } of csvRecords(whole, findSeparator(start), file)) {
    rows.push(cells.map((cell) => cell.trim()));
  }
  const header = rows[0]?.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, '')) ?? [];
  const columns = ['language', 'lang', 'locale', 'workrequest', 'id'];
  const column = columns.map((name) => header.indexOf(name)).find((at) => at >= 0);
  const words = rows.slice(column === undefined ? 0 : 1).map((row) => row[column ?? 0] ?? '');
  return words.filter((word) => word !== '');
}

/** A file whose name has the id of a work request must be in its language. */
export function withRequest(subtitles: Subtitles, expected: readonly Expected[]): Subtitles {
  const words = path.basename(subtitles.name).split(/[^\p{L}\p{N}-]+/u);
  const request = expected.find(({ id }) => id !== undefined && words.includes(id));
  if (!request || !subtitles.format) return subtitles;
  const claims = [...subtitles.claims, { by: 'work request' as const, code: request.code }];
  return { ...subtitles, claims, language: claims[0]?.code };
}

/** Languages without a file are listed under this name. */
export const missingName = 'missing';

const isIn = ({ code }: Expected, { claims }: CheckedSubtitles) =>
  claims.some((claim) => agree(code, claim.code));

/** What to say about each language without a file. */
export const missingFrom = (checked: readonly CheckedSubtitles[], expected: readonly Expected[]) =>
  expected
    .filter((order) => !checked.some((one) => isIn(order, one)))
    .map(
      ({ code, id }) => `no file in ${languageName(code)}${id === undefined ? '' : `, for ${id}`}`,
    );

/** Files that are delivered twice, or not expected. */
export function notExpected(checked: readonly CheckedSubtitles[], expected: readonly Expected[]) {
  const seen = new Map<string, string>();
  return checked.flatMap((one): DeliveryFinding[] => {
    const { name, format } = one.subtitles;
    if (one.language === undefined || expected.length === 0) return [];
    const { title, kind } = fileNameFacts(name);
    const key = [localeOf(one.language), title, kind, format?.name].join('\n');
    const other = seen.get(key);
    if (other === undefined) seen.set(key, name);
    const isExpected = expected.some((order) => isIn(order, one));
    const problem = isExpected
      ? other && `is there twice: also ${path.basename(other)}`
      : 'is not expected';
    return problem ? [deliveryFinding(name, `${languageName(one.language)} ${problem}`)] : [];
  });
}

/** Without the content and the findings in cues, so that the memory does not grow with the files. */
export function withoutCues(checked: CheckedSubtitles): CheckedSubtitles {
  const { subtitles, findings } = checked;
  const file = subtitles.file && { ...subtitles.file, text: '', bytes: new Uint8Array() };
  const dropped = countsOf({ findings: findings.filter(({ line }) => line) });
  const kept = findings.filter(({ line }) => !line);
  return { ...checked, subtitles: { ...subtitles, lines: [], file }, findings: kept, dropped };
}

/** Stands for a file that is missing or cannot be read, which is judged like the others. */
export function noSubtitles(name: string, messages: readonly string[]): Subtitles {
  const claims = claimsOf({ name: fileNameFacts(name).language });
  const problems = messages.map((message) => ({ row: 1, message }));
  return { name, lines: [], problems, claims, language: claims[0]?.code };
}

/** Adds what a comparison of the files found, and sorts them: the worst first. */
export function withDelivery(files: readonly CheckedSubtitles[], more: readonly DeliveryFinding[]) {
  const found = (name: string) => more.flatMap(([owner, one]) => (owner === name ? one : []));
  return files
    .map((one) => ({ ...one, findings: [...found(one.subtitles.name), ...one.findings] }))
    .map((one) => ({ one, ...countsOf(one) }))
    .sort((a, b) => b.errors - a.errors || b.warnings - a.warnings)
    .map(({ one }) => one);
}

/** A row for each file, with what it is taken for. */
export const fileRecord = (checked: CheckedSubtitles) => ({
  source: checked.subtitles.name,
  ...countsOf(checked),
  cues: checked.cues,
  takenFor: checked.subtitles.format || checked.subtitles.request ? takenFor(checked) : null,
  ...factsOf(checked),
  findings: findingRecords([checked]),
});

export function fileColumns(checked: readonly CheckedSubtitles[]): Column[] {
  const short = shortNames(checked);
  const show = (record: unknown) => short(String(valueAt(record, 'source')));
  return [
    { title: 'File', path: 'source', kind: 'id', show },
    { title: 'Errors', short: 'Err', path: 'errors', kind: 'number', importance: 5 },
    { title: 'Warnings', short: 'Warn', path: 'warnings', kind: 'number', importance: 5 },
    { title: 'Cues', path: 'cues', kind: 'number', importance: 4 },
    { title: 'Taken for', path: 'takenFor', importance: 1 },
  ];
}

/** Without the folder that all files are in. */
function shortNames(checked: readonly CheckedSubtitles[]) {
  const names = checked.map(({ subtitles: { name } }) => name).filter((one) => one !== missingName);
  const [folder, ...others] = new Set(names.map((name) => path.dirname(name)));
  return (name: string) =>
    others.length === 0 && path.dirname(name) === folder ? path.basename(name) : name;
}

export function deliverySummary(checked: readonly CheckedSubtitles[]): string {
  const missing = checked.find(({ subtitles: { name } }) => name === missingName);
  const wrong = checked.filter((one) => one !== missing && countsOf(one).errors > 0).length;
  const files = plural(checked.length - (missing ? 1 : 0), 'file');
  const sum = (key: keyof Counts) => checked.reduce((all, one) => all + countsOf(one)[key], 0);
  const parts = [
    wrong > 0 ? `errors in ${wrong} of ${files}` : files,
    missing && `${missing.findings.length} missing`,
    countText({ errors: sum('errors'), warnings: sum('warnings') }) || 'no problems',
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
  const more = listed.splice(maxListed).length;
  if (more > 0) listed.push(`${more} more.`);
  const hint = [...listed, 'For the cues, add --details or --file NAME.'].join('\n');
  return new MarError('check', deliverySummary(checked), { hint });
}
