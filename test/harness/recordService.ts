import { fakeService } from './fakeService.ts';

/** The body of a response, an error status, or a connection closed without a response. */
export type StoredRecord = string | number | 'hang up';
export type StoredRecords = Record<string, StoredRecord | readonly StoredRecord[]>;

/**
 * A service with responses by path. It collects `together` requests and responds to the last one
 * first, to catch code that prints in the order of the responses. If a path has several responses,
 * each is sent once and the last one repeats.
 */
export async function recordService(records: StoredRecords, together = 1) {
  /** The requested paths, below the base URL. */
  const paths: string[] = [];
  let waiting: (() => void)[] = [];
  const { env } = await fakeService(async ({ path }) => {
    paths.push(path);
    const stored = [records[path] ?? 404].flat();
    const count = paths.filter((one) => one === path).length;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < together) return;
      for (const respond of waiting.reverse()) respond();
      waiting = [];
    });
    const record = stored[Math.min(count, stored.length) - 1];
    return record === 'hang up' ? undefined : record;
  });
  return { paths, env: env as Record<string, string> };
}

/** A service with these work requests, by their ids. */
export const workRequestService = (requests: StoredRecords) =>
  recordService(
    Object.fromEntries(
      Object.entries(requests).map(([id, responses]) => [`/workrequests/${id}`, responses]),
    ),
  );
