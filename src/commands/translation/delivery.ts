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
  addDeliveryFinding,
  type Counts,
  type Subtitles,
  type Summary,
} from '../../subtitles/index.ts';
import { plural } from '../../values/numbers.ts';
import { countText, findingRecords } from './findings.ts';
import { isFileName, readBytes, readRequest } from './source.ts';

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
const missingName = 'missing';

const isIn = ({ code }: Expected, { claims }: Summary) =>
  claims.some((claim) => agree(code, claim.code));

/** Titles in several languages: each of them needs all that are expected. */
function titlesIn(files: readonly Summary[]): string[] {
  const languages = new Map<string, Set<string | null>>();
  for (const { title, facts } of files) {
    languages.set(title, (languages.get(title) ?? new Set()).add(facts.language));
  }
  return [...languages].filter(([, { size }]) => size > 1).map(([title]) => title);
}

/** Stands for the languages without a file; undefined if none is missing. */
export function missingFrom(files: readonly Summary[], expected: readonly Expected[]) {
  const titles = titlesIn(files);
  const missing = expected.flatMap(({ code, id }) => {
    const isPresent = (title?: string) =>
      files.some((file) => isIn({ code }, file) && (title === undefined || title === file.title));
    const what = `no file in ${languageName(code)}`;
    if (id !== undefined || titles.length < 2) {
      return isPresent() ? [] : what + (id === undefined ? '' : `, for ${id}`);
    }
    return titles.filter((title) => !isPresent(title)).map((title) => `${title}: ${what}`);
  });
  return missing.length > 0 ? noSubtitles(missingName, missing) : undefined;
}

/** Adds what is delivered twice, or not expected. */
export function compareWithExpected(files: readonly Summary[], expected: readonly Expected[]) {
  const seen = new Map<string, string>();
  for (const one of expected.length > 0 ? files : []) {
    const { language, format } = one.facts;
    if (language === null) continue;
    const key = [localeOf(language), one.title, one.kind, format].join('\n');
    const other = seen.get(key);
    if (other === undefined) seen.set(key, one.name);
    if (!expected.some((order) => isIn(order, one))) {
      addDeliveryFinding(one, `${languageName(language)} is not expected`);
    } else if (other !== undefined) {
      const copy = path.basename(other);
      addDeliveryFinding(one, `${languageName(language)} is there twice: also ${copy}`);
    }
  }
}

/** Stands for a file that is missing or cannot be read, which is judged like the others. */
function noSubtitles(name: string, messages: readonly string[]): Subtitles {
  const claims = claimsOf({ name: fileNameFacts(name).language });
  const problems = messages.map((message) => ({ row: 1, message }));
  return { name, lines: [], problems, claims, language: claims[0]?.code };
}

/** A file of a delivery that cannot be read is a finding. */
export function unreadableFile(name: string, error: unknown): Subtitles {
  if (!isFileName(name) || !(error instanceof MarError)) throw error;
  const { hint } = error.details;
  const message = error.message.replace(`${name} `, '');
  return noSubtitles(name, [hint ? `${message}. ${hint}` : message]);
}

/** A row for each file, with what it is taken for. */
export const fileRecord = (file: Summary) => ({
  source: file.name,
  errors: file.errors,
  warnings: file.warnings,
  cues: file.cues,
  takenFor: file.takenFor || null,
  ...file.facts,
  findings: findingRecords(file, file.findings),
});

export function fileColumns(files: readonly Summary[]): Column[] {
  const short = shortNames(files);
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
function shortNames(files: readonly Summary[]) {
  const names = files.map(({ name }) => name).filter((name) => name !== missingName);
  const [folder, ...others] = new Set(names.map((name) => path.dirname(name)));
  return (name: string) =>
    others.length === 0 && path.dirname(name) === folder ? path.basename(name) : name;
}

export function deliverySummary(files: readonly Summary[]): string {
  const missing = files.find(({ name }) => name === missingName);
  const wrong = files.filter((one) => one !== missing && one.errors > 0).length;
  const all = plural(files.length - (missing ? 1 : 0), 'file');
  const sum = (key: keyof Counts) => files.reduce((total, one) => total + one[key], 0);
  const parts = [
    wrong > 0 ? `errors in ${wrong} of ${all}` : all,
    missing && `${missing.errors} missing`,
    countText({ errors: sum('errors'), warnings: sum('warnings') }) || 'no problems',
  ];
  return parts.filter(Boolean).join('; ');
}

const maxListed = 8;

/** Names what concerns a file as a whole; mistakes in cues are only counted. */
export function deliveryError(files: readonly Summary[]): MarError {
  const short = shortNames(files);
  const listed = files.flatMap(({ name, findings }) =>
    findings
      .filter(({ severity, rule }) => severity === 'error' && rule !== 'empty')
      .map(({ message }) => `${short(name)}: ${message}`),
  );
  const more = listed.splice(maxListed).length;
  if (more > 0) listed.push(`${more} more.`);
  const hint = [...listed, 'For the cues, add --details or --file NAME.'].join('\n');
  return new MarError('check', deliverySummary(files), { hint });
}
