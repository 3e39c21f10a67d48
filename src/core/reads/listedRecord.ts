import { type Endpoint, resourceNoun } from '../api/endpoints.ts';
import { recordIdOf } from '../client/response.ts';
import { MarError } from '../errors.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { guardedPages } from './listRecords.ts';

/** Where in the list a record was, so that a batch reads one record for each row. */
const places = new WeakMap<Session, Map<string, number>>();

/** Reads a record that the service only lists. */
export async function listedRecord(
  context: Context,
  endpoint: Endpoint,
  id: string,
): Promise<ServiceRecord> {
  const { session } = context;
  const client = await session.client();
  const known = places.get(session) ?? new Map<string, number>();
  places.set(session, known);
  const at = known.get(id);
  if (at !== undefined) {
    const { records } = await client.page(endpoint, { range: { from: at, to: at } });
    const [record] = records;
    if (record && recordIdOf(record.value) === id) return record;
  }
  const extent = { from: 0, pageSize: session.settings.pageSize ?? 100 };
  const pages = guardedPages(context, extent, (range, signal) =>
    client.unreadPage(endpoint, { range, signal }),
  );
  let place = 0;
  for await (const { records } of pages) {
    for (const record of records) known.set(recordIdOf(record.value) ?? '', place++);
    const found = records.find(({ value }) => recordIdOf(value) === id);
    if (found) return found;
  }
  const noun = resourceNoun(endpoint.resource);
  throw new MarError('not-found', `${noun} ${id} is not in the list of ${noun}s`, {
    resource: noun,
    id,
  });
}
