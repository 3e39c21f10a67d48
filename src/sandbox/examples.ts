import type { RecordName } from '../api/endpoints.ts';
import { isObject, type Json, type JsonObject, toPlain } from '../json/value.ts';
import { seed } from './seed/seed.ts';

/** A fixed time, so that the examples do not change from day to day. */
const exampleTime = Date.UTC(2026, 2, 14, 9, 30);

/** A demo record for each schema, without secrets. */
export function exampleRecords(): Record<RecordName, unknown> {
  const { records, downloads } = seed(exampleTime, 1);
  const find = (id: string) => plain(records.find((record) => record.id === id)?.record ?? null);
  const workRequest = find('wr-2002') as Record<string, unknown>;
  const { translation } = workRequest as { translation: Record<string, unknown> };
  const [download = null] = downloads;
  return {
    asset: find('a-1001'),
    download: plain(download),
    event: find('e-4003'),
    file: find('f-1001-master'),
    notification: find('n-3003'),
    offline: find('o-6001'),
    preview: find('pv-1001-1'),
    session: { token: 'EXAMPLE-TOKEN', email: 'ines@northlight.example' },
    translation: pick(translation, ['asset', 'workRequest', 'language', 'status']),
    user: find('u-ines'),
    workRequest: shortened(workRequest),
    workRequestDraft: {
      asset: 'a-1001',
      project: 'p-harbor',
      ...pick(workRequest, ['language', 'territory', 'due', 'dng', 'uses', 'instructions']),
    },
  };
}

const pick = (record: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, record[key]]));

/** Keeps one line of each translation. */
function shortened(workRequest: Record<string, unknown>): Record<string, unknown> {
  const shorten = (translation: unknown) => {
    const { lines = [], ...rest } = translation as { lines?: unknown[] };
    return { ...rest, lines: lines.slice(0, 1) };
  };
  const { translation, graphicsTranslation } = workRequest;
  return {
    ...workRequest,
    translation: shorten(translation),
    graphicsTranslation: shorten(graphicsTranslation),
  };
}

const plain = (record: Json) => toPlain(withoutSecrets(record));

/** Removes passwords and the query strings of signed URLs. */
function withoutSecrets(json: Json): Json {
  if (typeof json === 'string') return json.replace(/^(https:\/\/[^?]*)\?.*$/, '$1');
  if (Array.isArray(json)) return json.map(withoutSecrets);
  if (!isObject(json)) return json;
  const kept: JsonObject = new Map();
  for (const [key, value] of json) if (key !== 'password') kept.set(key, withoutSecrets(value));
  return kept;
}
