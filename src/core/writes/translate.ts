import type * as z from 'zod/mini';
import { type EndpointId, endpoints } from '../api/endpoints.ts';
import { isTime } from '../api/schemas.ts';
import { fieldAt, partsOf } from '../api/schemaWalk.ts';
import { MarError, orUndefined } from '../errors.ts';
import { valueAt } from '../json/fields.ts';
import { parsePath } from '../json/path.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { namedRecords } from '../reads/candidates.ts';
import { wholeId } from '../reads/getRecords.ts';
import { codeFields } from '../records/codes.ts';
import { checkedPlaces, type ValueName } from '../records/knownValues.ts';
import { countryOf, languageCode } from '../records/names.ts';
import { idOf, referenceTo } from '../records/references.ts';
import { applyEdits } from '../records/setFields.ts';
import { fieldPaths } from '../rows/headings.ts';
import type { RowReading } from '../rows/row.ts';
import type { Context } from '../session/context.ts';
import { seenValues } from '../session/remember.ts';
import { lazily } from '../values/concurrency.ts';
import { folded } from '../values/match.ts';
import { listedWords } from '../values/nearest.ts';
import type { People } from './people.ts';

const maxRemembered = 10_000;

/** Fields that name another record, by their paths. */
const references = {
  asset: 'asset',
  project: 'project',
  from: 'user',
  'notify.users': 'user',
} as const;
type Kind = (typeof references)[keyof typeof references];

/** The value that a text means, or the reason why it means none. Empty if the text is the value. */
type Meaning = { to?: string; problem?: string };

interface TranslatorRules {
  endpoint: EndpointId;
  schema: z.ZodMiniType;
  people: People;
  /** A date in a form that is accepted everywhere. */
  readDate(text: string, path: string): string | undefined;
}

/**
 * Translates values of a file as people write them: French to fra, Deutschland to DEU, 12.12.2026 to
 * 2026-12-12, and the names of assets, projects and users to their ids. Only what is exact and has one
 * meaning is translated.
 */
export function valueTranslator(
  context: Context,
  { endpoint, schema, people, readDate }: TranslatorRules,
) {
  const { resource } = endpoints[endpoint];
  // `--check` needs no account.
  const seen = (name: ValueName) => orUndefined(() => seenValues(context.session, name)) ?? [];
  const territories = lazily(() => seen('territory'));
  const listed = {
    asset: lazily(() => namedRecords(context, 'asset')),
    project: lazily(() => namedRecords(context, 'project')),
  };

  const codeFor = (field: string, text: string): string | undefined => {
    if (field === 'language') {
      const isOwn = context.session.service().has('language', text);
      return isOwn ? undefined : languageCode(text);
    }
    const country = countryOf(text);
    const known = field === 'territory' ? territories() : [];
    const hasCodesOf = (size: number) =>
      known.some((one) => one.length === size && countryOf(one) !== undefined);
    const hasTwoLetters = field === 'country' || (hasCodesOf(2) && !hasCodesOf(3));
    const isCode = text === country?.twoLetters || text === country?.threeLetters;
    // Both kinds of codes are sent, unless the service uses only one of them.
    if (known.includes(text) || (isCode && (hasTwoLetters || known.length === 0))) return undefined;
    return hasTwoLetters ? country?.twoLetters : country?.threeLetters;
  };
  const valueFor = (name: ValueName, text: string) =>
    [...context.session.service().items(name), ...seen(name)].find(
      (one) => folded(one) === folded(text),
    );

  const recordFor = async (kind: Kind, text: string): Promise<Meaning> => {
    // The error of a formula is no name.
    if (text.startsWith('#') || wholeId.test(text)) return {};
    const isWord = !/\s/.test(text);
    if (kind === 'asset' && isWord && (await findAsset(context, text))) return {};
    const found =
      kind === 'user'
        ? await people.exactly(text)
        : (await listed[kind]()).filter(({ id, name }) =>
            [id, name].some((one) => folded(one) === folded(text)),
          );
    const [only, other] = found;
    if (only && !other) return { to: only.id };
    if (other) {
      const ids = found.map(({ id }) => id).join(', ');
      return { problem: `${found.length} ${kind}s are named "${text}": ${ids}` };
    }
    // The check of an event reports its unknown users. A list of projects may lack some.
    const mayBeId =
      kind === 'user'
        ? resource === 'Event' || (isWord && !(await people.areAllListed()))
        : kind === 'project' && isWord;
    return mayBeId
      ? {}
      : { problem: `no ${kind} that mar can find is named "${text}"; use its id` };
  };

  // Programs write JSON: its codes, known values and ids are exact. The slip PN for JPN would become
  // another order.
  const readers = new Map<string, (text: string, isTable: boolean) => Meaning | Promise<Meaning>>();
  for (const field of codeFields[resource] ?? []) {
    readers.set(field, (text, isTable) => {
      if (!isTable && text.length <= 3) return {};
      const mayBeList = field !== 'language' && !countryOf(text);
      const several = mayBeList && listedWords(text).filter(countryOf).length > 1;
      return several ? { problem: `${text}: use a row for each` } : { to: codeFor(field, text) };
    });
  }
  for (const [path, name] of Object.entries(checkedPlaces[resource] ?? {})) {
    if (name === 'zone') continue;
    readers.set(path, (text, isTable) => (isTable ? { to: valueFor(name, text) } : {}));
  }
  for (const [path, kind] of Object.entries(references)) {
    readers.set(path, (text, isTable) => (isTable || /\s/.test(text) ? recordFor(kind, text) : {}));
  }
  for (const path of fieldPaths(schema)) {
    const hasDate = fieldAt(schema, parsePath(path)).some(isTime);
    if (hasDate) readers.set(path, (text) => ({ to: readDate(text, path) }));
  }

  /** Rows of a batch mostly repeat a few values. */
  const known = new Map<string, Meaning>();
  const translated = async (
    field: string,
    json: Json,
    isTable: boolean,
    reading?: RowReading,
  ): Promise<Json> => {
    const from = isObject(json) && json.size > 1 ? undefined : idOf(json);
    if (typeof from !== 'string') return json;
    const key = `${field} ${from}`;
    const meaning = known.get(key) ?? (await readers.get(field)?.(from.trim(), isTable)) ?? {};
    if (known.size < maxRemembered) known.set(key, meaning);
    const { to, problem } = meaning;
    if (problem) reading?.problems.push({ field, value: from, message: `${field}: ${problem}` });
    if (to === undefined || to === from) return json;
    reading?.translated.push({ field, from, to });
    const isEmbedded = partsOf(fieldAt(schema, parsePath(field))).some(({ shape }) => shape);
    return isEmbedded ? referenceTo(to) : to;
  };

  return async (record: JsonObject, isTable: boolean, reading?: RowReading): Promise<void> => {
    for (const path of readers.keys()) {
      const value = valueAt(record, path) as Json | undefined;
      if (value === undefined) continue;
      const all: Json[] = [];
      for (const one of [value].flat()) all.push(await translated(path, one, isTable, reading));
      const content = Array.isArray(value) ? all : all[0];
      if (!isSame(content, value)) applyEdits(record, [{ kind: 'set', text: `${path}=`, content }]);
    }
  };
}

/** Undefined if there is no such asset. */
export async function findAsset({ session }: Context, id: string): Promise<unknown> {
  const client = await session.client();
  try {
    return (await client.call(endpoints.assetGet, { id })).value;
  } catch (error) {
    if (error instanceof MarError && error.kind === 'not-found') return undefined;
    throw error;
  }
}
