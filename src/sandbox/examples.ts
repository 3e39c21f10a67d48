import type { RecordName } from '../api/endpoints.ts';
import { isObject, type Json, type JsonObject, toPlain } from '../json/value.ts';
import { seed } from './seed/seed.ts';

/** The moment that the examples are of: they stay the same from day to day. */
const moment = Date.UTC(2026, 2, 14, 9, 30);

/** A demo record of each kind, without what would be a secret in a real one. */
export function exampleRecords(): Record<RecordName, unknown> {
  const { records, downloads } = seed(moment, 1);
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
    workRequest: brief(workRequest),
    workRequestDraft: {
      asset: 'a-1001',
      project: 'p-harbor',
      ...pick(workRequest, ['language', 'territory', 'due', 'dng', 'uses', 'instructions']),
    },
  };
}

const pick = (record: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, record[key]]));

/** A line of each translation shows what lines are like. */
function brief(workRequest: Record<string, unknown>): Record<string, unknown> {
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

const plain = (record: Json) => toPlain(harmless(record));

/** Without password hashes, and without the queries of signed URLs. */
function harmless(json: Json): Json {
  if (typeof json === 'string') return json.replace(/^(https:\/\/[^?]*)\?.*$/, '$1');
  if (Array.isArray(json)) return json.map(harmless);
  if (!isObject(json)) return json;
  const kept: JsonObject = new Map();
  for (const [key, value] of json) if (key !== 'password') kept.set(key, harmless(value));
  return kept;
}
