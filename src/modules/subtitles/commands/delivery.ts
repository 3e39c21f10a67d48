import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Hint, MarError, usageError } from '../../../core/errors.ts';
import { type Input, option, stringOption } from '../../../core/input.ts';
import type { Column } from '../../../core/output/viewType.ts';
import { readColumn } from '../../../core/rows/column.ts';
import type { Context } from '../../../core/session/context.ts';
import { hintLine } from '../../../core/values/hintLines.ts';
import { firstOf, plural } from '../../../core/values/numbers.ts';
import { countText } from '../check/check.ts';
import {
  addDeliveryFinding,
  changesIn,
  changesText,
  findingRecords,
  type Summary,
} from '../check/summary.ts';
import { agree, isLanguage, languageName, localeOf } from '../languages/language.ts';
import { claimsOf, claimsOfFile } from '../languages/languageOfFile.ts';
import { fileNameFacts } from '../languages/languageOfName.ts';
import type { Subtitles } from '../subtitles.ts';
import { readRequest, type Source } from './source.ts';

export const expectOption = option(
  '--expect <list>',
  'expected languages or work requests: fra,deu,es-419, or a file with a list',
  { completes: 'file' },
);

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
    ? await readColumn('--expect', list, ['language', 'lang', 'locale', 'workrequest', 'id'])
    : list.split(',').map((word) => word.trim());
  const facts = { flag: '--expect', value: list };
  if (words.length === 0) throw usageError(`${list} names no languages`, undefined, facts);
  const expected: Expected[] = [];
  for (const word of words) {
    const named = /\d/.test(word) ? undefined : fileNameFacts(word).language;
    const code = isLanguage(word) ? word : named;
    if (code !== undefined) expected.push({ code });
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

/** The names of files in their delivery, without the folders of this machine. */
export function labelsOf(sources: readonly Source[]): Map<string, string> {
  const short = ({ name, within }: Source) => within ?? path.basename(name);
  const areDistinct = new Set(sources.map(short)).size === sources.length;
  return new Map(sources.map((one) => [one.name, areDistinct ? short(one) : one.name]));
}

/** Adds what a name says beside others or with an order: `HARBOR_TUR`, `wr-2001.srt`. */
export function claimReader(files: readonly Source[], expected: readonly Expected[]) {
  const known = files.map(({ name }) => fileNameFacts(name)).filter(({ language }) => language);
  const titles = new Set(known.map(({ title }) => title));
  return (read: Subtitles): Subtitles => {
    if (read.request) return read;
    const words = path.basename(read.name).split(/[^\p{L}\p{N}-]+/u);
    const order = read.format && expected.find(({ id }) => id && words.includes(id));
    const isOrdered = (language: string) => expected.some(({ code }) => agree(code, language));
    const { language = '', title } = fileNameFacts(
      read.name,
      (named, isCountry) => !isCountry || isOrdered(named),
    );
    const isExpected = isOrdered(language);
    const isNew = !read.claims.some(({ by }) => by === 'name') && (isExpected || titles.has(title));
    const added = claimsOf({ name: isNew && language, 'work request': order?.code });
    const claims = [...read.claims, ...added];
    return { ...read, claims, language: claims[0]?.code ?? read.language };
  };
}

/** Languages without a file are listed under this name. */
export const missingName = 'missing';

const isIn = ({ code }: Expected, { claims }: Summary) =>
  claims.some((claim) => agree(code, claim.code));

/** Stands for the languages without a file; undefined if none is missing. */
export function missingFrom(files: readonly Summary[], expected: readonly Expected[]) {
  // Each title needs all languages. If no language is known, the name is no title yet.
  const known = files.filter(({ facts }) => facts.language !== null);
  const titles = [...new Set(known.map(({ nameFacts }) => nameFacts.title))];
  const missing = expected.flatMap(({ code, id }) => {
    const present = files.filter((file) => isIn({ code }, file));
    const what = `no file in ${languageName(code)}`;
    if (id !== undefined || titles.length < 2) {
      return present.length > 0 ? [] : what + (id === undefined ? '' : `, for ${id}`);
    }
    const isPresent = (title: string) => present.some(({ nameFacts }) => nameFacts.title === title);
    return titles.filter((title) => !isPresent(title)).map((title) => `${title}: ${what}`);
  });
  return missing.length > 0 ? noSubtitles(missingName, missing) : undefined;
}

/** Adds what is delivered twice, or not expected. */
export function compareWithExpected(files: readonly Summary[], expected: readonly Expected[]) {
  const seen = new Map<string, string>();
  for (const one of expected.length > 0 ? files : []) {
    const { facts, nameFacts } = one;
    const { language, format } = facts;
    if (language === null) continue;
    const key = [localeOf(language), nameFacts.title, nameFacts.kind, format].join('\n');
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
  const claims = claimsOfFile(name);
  const problems = messages.map((message) => ({ row: 1, message }));
  return { name, lines: [], problems, claims, language: claims[0]?.code };
}

/** A file of a delivery that cannot be read is a finding. Hints about flags are not for its vendor. */
export function unreadableFile(name: string, error: unknown): Subtitles {
  if (!(error instanceof MarError)) throw error;
  const message = error.message.replace(` ${name}`, '').replace(`${name} `, '');
  const hints = error.hints.filter((hint) => hint.for !== 'command-line');
  const advice = hints.map((hint) => hintLine(hint)).join(' ');
  return noSubtitles(name, [advice ? `${message}. ${advice}` : message]);
}

/** A row for each file, with what it is taken for. */
export const fileRecord = (file: Summary) => ({
  source: file.name,
  file: file.label,
  errors: file.errors,
  warnings: file.warnings,
  cues: file.cues,
  takenFor: file.takenFor || null,
  ...file.facts,
  ...(file.earlier && { against: file.earlier.against, ...changesIn([file]) }),
  findings: findingRecords({ ...file, findings: file.findings.filter(({ line }) => !line) }),
});

const changeColumns: readonly Column[] = [
  { title: 'Fixed', path: 'fixed', kind: 'number' },
  { title: 'Still there', short: 'Still', path: 'remaining', kind: 'number' },
  { title: 'New', path: 'new', kind: 'number' },
  { title: 'Gone', path: 'gone', kind: 'number' },
];

export const fileColumns = (isCompared: boolean): readonly Column[] => [
  { title: 'File', path: 'file', kind: 'id' },
  ...(isCompared ? changeColumns : []),
  { title: 'Errors', short: 'Err', path: 'errors', kind: 'number', importance: 5 },
  { title: 'Warnings', short: 'Warn', path: 'warnings', kind: 'number', importance: 5 },
  { title: 'Cues', path: 'cues', kind: 'number', importance: 4 },
  { title: 'Taken for', path: 'takenFor', importance: 1 },
];

export function deliverySummary(files: readonly Summary[]): string {
  const missing = files.find(({ name }) => name === missingName);
  const wrong = files.filter((one) => one !== missing && one.errors > 0).length;
  const all = plural(files.length - (missing ? 1 : 0), 'file');
  const sumOf = (name: 'errors' | 'warnings') => files.reduce((sum, one) => sum + one[name], 0);
  const parts = [
    wrong > 0 ? `errors in ${wrong} of ${all}` : all,
    missing && `${missing.errors} missing`,
    countText({ errors: sumOf('errors'), warnings: sumOf('warnings') }) || 'no problems',
    changesText(files),
  ];
  return parts.filter(Boolean).join('; ');
}

/** Names what concerns a file as a whole; mistakes in cues are only counted. */
export function deliveryError(files: readonly Summary[], more: readonly Hint[]): MarError {
  const errors = files.flatMap(({ label, findings }) =>
    findings
      .filter(({ severity, rule, line }) => severity === 'error' && rule !== 'empty' && !line)
      .map(({ message }) => `${label}: ${message}`),
  );
  const hint = [...firstOf(errors, 8), ...more];
  return new MarError('check', deliverySummary(files), { hint });
}
