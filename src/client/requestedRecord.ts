import type { Endpoint } from '../api/endpoints.ts';
import { MarError } from '../errors.ts';

/** Whether a record says that it is another one than was requested. One without an id may be it. */
export function isOtherRecord(record: unknown, id: string): boolean {
  const own = idOf(record);
  return own !== undefined && own !== id;
}

/**
 * Checks that a record that was read by its id is that record. A mismatch is a warning; for a write
 * it is an error, because the write would go to the record that came back.
 */
export function checkRequested(
  { resource }: Endpoint,
  id: string,
  record: unknown,
  { forWrite, onMisfit }: { forWrite?: boolean; onMisfit(message: string): void },
): void {
  const own = idOf(record);
  if (own === id) return;
  const found = own === undefined ? 'without an _id' : JSON.stringify(own);
  const problem = `the service returned the ${resource} ${found} for ${id}`;
  if (forWrite) {
    throw new MarError('service', `${problem}; nothing was written`, {
      hint: 'try again; if it happens again, report it to the operators of the service',
    });
  }
  if (own !== undefined) onMisfit(problem);
}

function idOf(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('_id' in record)) return undefined;
  return typeof record._id === 'string' ? record._id : undefined;
}
