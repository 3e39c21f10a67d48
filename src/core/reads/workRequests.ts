import { endpoints } from '../api/endpoints.ts';
import { MarError } from '../errors.ts';
import { valueAt } from '../json/fields.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { Progress } from '../output/progress.ts';
import type { Context } from '../session/context.ts';
import { atMost, defaultConcurrency, settle } from '../values/concurrency.ts';
import { formatSeconds } from '../values/duration.ts';
import { groupDigits } from '../values/numbers.ts';
import { readById } from './getRecords.ts';

export interface Reading {
  id: string;
  record?: ServiceRecord;
  error?: MarError;
}

/**
 * Reads work requests, some at a time. A failure is part of the result. If the user stops the command,
 * returns those that were read. With `isDrawn`, without the long fields that no drawing shows.
 */
export async function readWorkRequests(
  context: Context,
  ids: readonly string[],
  { isDrawn = false, onRecord = (_: unknown) => {} } = {},
): Promise<Reading[]> {
  if (ids.length === 0) return [];
  const client = await context.session.client();
  let count = 0;
  const progress = new Progress(context.reporter.progressOptions, (elapsedMs) => [
    `${groupDigits(count)} of ${groupDigits(ids.length)} work requests`,
    formatSeconds(elapsedMs / 1000),
  ]);
  // Not `mapConcurrently`, which keeps the order: one slow request would hold up all after it.
  const limited = atMost(context.session.settings.concurrency ?? defaultConcurrency.reads);
  const read = async (id: string): Promise<Reading[]> => {
    const call = () => readById(context, client, { endpoint: endpoints.workRequestGet, id });
    const { result, error } = await settle(limited(call));
    count += 1;
    if (result) {
      onRecord(result.record.value);
      return [{ id, record: isDrawn ? shortened(result.record) : result.record }];
    }
    if (context.world.signal.aborted) return [];
    if (error instanceof MarError) return [{ id, error }];
    throw error;
  };
  try {
    return (await Promise.all(ids.map(read))).flat();
  } finally {
    progress.end();
  }
}

/** Thousands of work requests with their subtitles would fill the memory. */
function shortened({ value }: ServiceRecord): ServiceRecord {
  const fields = Object.entries(value ?? {}).flatMap(([name, field]): [string, unknown][] => {
    if (name === 'instructions' || name === 'files') return [];
    const isTranslation = name === 'translation' || name === 'graphicsTranslation';
    return [[name, isTranslation ? { translator: valueAt(field, 'translator') } : field]];
  });
  return new ServiceRecord(Object.fromEntries(fields), '');
}
