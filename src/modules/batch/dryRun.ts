import { buildRequest } from '../../core/client/request.ts';
import { MarError } from '../../core/errors.ts';
import { ServiceRecord } from '../../core/json/serviceRecord.ts';
import { type Json, JsonNumber } from '../../core/json/value.ts';
import { factsView } from '../../core/output/printer.ts';
import { listResult, type Results } from '../../core/output/result.ts';
import type { View } from '../../core/output/viewType.ts';
import type { Row } from '../../core/rows/row.ts';
import type { Context } from '../../core/session/context.ts';
import { mapConcurrently } from '../../core/values/concurrency.ts';
import { plural } from '../../core/values/numbers.ts';
import { requestRecord, requestResults } from '../../core/writes/unsentRequest.ts';
import { changedFields, type RecordChanges } from './changes.ts';
import type { CheckedInput } from './checkInput.ts';
import { describeOutcome, oneLine, pendingRows } from './send.ts';

const changesView: View = {
  columns: [
    { title: 'Row', path: 'row', kind: 'number' },
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Field', path: 'field', importance: 4 },
    { title: 'Before', path: 'before', importance: 3 },
    { title: 'After', path: 'after', importance: 3 },
  ],
};

/** The requests that a batch would send, or the fields that it would change. */
export const rowsToSend = (context: Context, batch: CheckedInput): Results =>
  batch.rules.changes ? changeResults(context, batch) : rowRequests(context, batch);

async function* rowRequests(context: Context, batch: CheckedInput): Results {
  const { session, reporter } = context;
  const { baseUrl } = session.identity();
  const { rules } = batch;
  const requestOf = async (row: Row) =>
    buildRequest(rules.endpoint, baseUrl, await rules.request(row));
  let isListed = false;
  async function* pages(): AsyncGenerator<ServiceRecord[]> {
    isListed = true;
    for await (const row of pendingRows(batch)) {
      yield [numbered(row, requestRecord(context, await requestOf(row)))];
    }
  }
  yield listResult(pages(), factsView, { isOwn: true, onlyFor: 'programs' });
  // People see the first request. The others are like it.
  const { value: first } = isListed ? {} : await pendingRows(batch).next();
  if (first) yield* requestResults(context, await requestOf(first), { onlyFor: 'people' });
  const suffix = batch.sending > 1 ? ', one request per row' : '';
  reporter.reportOnce(`Would send ${plural(batch.sending, 'row')}${suffix}`);
}

const numbered = ({ number }: Row, fields: Iterable<readonly [string, Json]>) =>
  ServiceRecord.fromTree(new Map([['row', new JsonNumber(String(number))], ...fields]));

/** Field, before and after of every row that would be written. */
async function* changeResults(context: Context, batch: CheckedInput): Results {
  const { source, settings, sending } = batch;
  const changes = batch.rules.changes as RecordChanges;
  const journal = { path: settings.journal, states: batch.states };
  const counts = { written: 0, fields: 0, unchanged: 0 };
  const prepare = async (row: Row) => ({ row, prepared: await changes.prepare(row, journal) });
  async function* pages(): AsyncGenerator<ServiceRecord[]> {
    const rows = mapConcurrently(pendingRows(batch), settings.concurrency, prepare);
    for await (const { result, error } of rows) {
      if (error) throw error;
      const { row, prepared } = result as Awaited<ReturnType<typeof prepare>>;
      if ('change' in prepared) {
        const lines = changedFields(prepared).map((fields) => numbered(row, fields));
        counts.written += 1;
        counts.fields += lines.length;
        yield lines;
      } else if (prepared.kind === 'unchanged') counts.unchanged += 1;
      else if (prepared.kind !== 'done') {
        if (['locked-out', 'unsent', 'throttled'].includes(prepared.kind)) throw prepared.error;
        const what = `${describeOutcome(prepared)}: ${oneLine(prepared.error.message)}`;
        context.reporter.warn('row', `Row ${row.number} (line ${row.line}) ${what}`);
      }
    }
  }
  yield listResult(pages(), changesView, { isOwn: true });
  const { written, fields, unchanged } = counts;
  const rest = unchanged > 0 ? `; ${plural(unchanged, 'row')} unchanged` : '';
  const would = `Would change ${plural(fields, 'field')} in ${plural(written, 'row')}${rest}`;
  context.reporter.reportOnce(`${would}. Dry run: nothing was written.`);
  const refused = sending - written - unchanged;
  if (refused === 0) return;
  const message = `${refused} of ${plural(sending, 'row')} in ${source.name} cannot be written`;
  throw new MarError('batch', message, { hint: 'Nothing was written.' });
}
