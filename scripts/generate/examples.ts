import type { RecordName } from '../../src/core/api/endpoints.ts';
import { type Json, printJson } from '../../src/core/json/value.ts';
import { demoSeed } from '../../src/modules/sandbox/seed/demoData.ts';

/** A fixed time, so that the examples do not change from day to day. */
const exampleTime = Date.UTC(2026, 2, 14, 9, 30);

/** A demo record for each schema, without secrets. */
export function exampleRecords(): Record<RecordName, unknown> {
  const records = [...demoSeed(exampleTime, 1)];
  const find = (id: string) => plain(records.find((record) => record.id === id)?.record ?? null);
  const workRequest = find('wr-2002');
  return {
    asset: find('a-1001'),
    download: find('d-000001'),
    event: find('e-4003'),
    file: find('f-1001-master'),
    notification: find('n-3003'),
    offline: find('o-6001'),
    preview: find('pv-1001-1'),
    session: { token: 'EXAMPLE-TOKEN', email: 'ines@northlight.example' },
    translation: pick(workRequest.translation, ['asset', 'workRequest', 'language', 'status']),
    user: find('u-ines'),
    workRequest: {
      ...workRequest,
      translation: withOneLine(workRequest.translation),
      graphicsTranslation: withOneLine(workRequest.graphicsTranslation),
    },
    workRequestDraft: {
      asset: { _id: 'a-1001' },
      project: { _id: 'p-harbor' },
      ...pick(workRequest, ['language', 'territory', 'due', 'dng', 'uses', 'instructions']),
    },
  };
}

const pick = (record: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, record[key]]));

const withOneLine = ({ lines, ...translation }: { lines: unknown[] }) => ({
  ...translation,
  lines: lines.slice(0, 1),
});

/** Removes passwords and the query strings of signed URLs. */
const plain = (record: Json) =>
  JSON.parse(printJson(record), (key, value) => {
    if (key === 'password') return undefined;
    return typeof value === 'string' ? value.replace(/^(https:\/\/[^?]*)\?.*$/, '$1') : value;
  });
