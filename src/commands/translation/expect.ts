import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../errors.ts';
import { type Input, type Option, stringOption } from '../../input.ts';
import { agree, isLanguage, languageName } from '../../languages/language.ts';
import { fileNameFacts } from '../../languages/languageOfName.ts';
import type { Context } from '../../session/context.ts';
import { type CheckedSubtitles, deliveryFinding, type Subtitles } from '../../subtitles/index.ts';
import { readRequest } from './source.ts';

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
  const words = existsSync(list) ? wordsOfFile(list) : list.split(',').map((word) => word.trim());
  const facts = { flag: '--expect', value: list };
  if (words.length === 0) throw usageError(`${list} names no languages`, undefined, facts);
  const expected: Expected[] = [];
  for (const word of words) {
    if (isLanguage(word)) expected.push({ code: word });
    else if (/^[a-z]{0,3}$/i.test(word)) {
      const hint = 'Use codes such as fra or es-419, ids of work requests, or a file with a list.';
      throw usageError(`"${word}" is not a language code`, hint, facts);
    } else {
      const { language } = await readRequest(session, input, word);
      if (language === undefined) throw usageError(`${word} has no language`, undefined, facts);
      expected.push({ code: language, id: word });
    }
  }
  return expected;
}

/** The column of languages or ids in a table; of a list without a header, the first column. */
function wordsOfFile(file: string): string[] {
  const rows = readFileSync(file, 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .filter((row) => row.trim() !== '')
    .map((row) => row.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')));
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

const missingName = 'missing';
export const isMissing = ({ subtitles: { name, format } }: CheckedSubtitles) =>
  name === missingName && !format;

/** Adds what is missing, delivered twice, or not expected. */
export function compareExpected(
  expected: readonly Expected[],
  checked: readonly CheckedSubtitles[],
): CheckedSubtitles[] {
  const key = ({ subtitles, language }: CheckedSubtitles) => {
    const { title, kind } = fileNameFacts(subtitles.name);
    return [language, title, kind, subtitles.format?.name].join('\n');
  };
  const seen = new Map<string, string>();
  const judged = checked.map((one) => {
    const { language, subtitles, claims } = one;
    if (language === undefined || expected.length === 0) return one;
    const isExpected = expected.some(({ code }) => claims.some((claim) => agree(code, claim.code)));
    const other = seen.get(key(one));
    if (other === undefined) seen.set(key(one), subtitles.name);
    const problem = !isExpected
      ? `${languageName(language)} is not expected`
      : other && `${languageName(language)} is there twice: also ${path.basename(other)}`;
    return problem
      ? { ...one, findings: [...one.findings, deliveryFinding('error', problem)] }
      : one;
  });
  const missing = expected
    .filter(
      ({ code }) => !checked.some(({ claims }) => claims.some((one) => agree(code, one.code))),
    )
    .map(({ code, id }): CheckedSubtitles => {
      const message = `no file in ${languageName(code)}${id === undefined ? '' : `, for ${id}`}`;
      return {
        subtitles: { name: missingName, lines: [], problems: [], claims: [] },
        ...{ cues: 0, language: code, claims: [], limits: {}, given: {}, preset: 'none' },
        findings: [deliveryFinding('error', message)],
      };
    });
  return [...judged, ...missing];
}
