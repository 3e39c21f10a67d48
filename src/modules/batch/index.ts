import type { Results } from '../../core/output/result.ts';
import type { Context } from '../../core/session/context.ts';

/*
 * Batches: rows of a file, each sent once and recorded in a journal. All of it is loaded late, because
 * most runs of a command that takes --batch send a single record.
 */

export type { BatchCommand } from './rules.ts';

const late = <Args extends unknown[]>(load: () => Promise<(...args: Args) => Results>) =>
  async function* (...args: Args): Results {
    yield* (await load())(...args);
  };

export const runBatch = late(async () => (await import('./run.ts')).runBatch);
export const resolveBatch = late(async () => (await import('./resolve.ts')).resolveBatch);

// The contents of journals.
const reports = () => import('./report/status.ts');
export const batchStatus = late(async () => (await reports()).batchStatus);
export const batchReport = late(async () => (await reports()).batchReport);
export const createdIds: Awaited<ReturnType<typeof reports>>['createdIds'] = async (...batch) =>
  (await reports()).createdIds(...batch);
export const unfinishedBatches = async (context: Context) =>
  (await import('./unfinished.ts')).unfinishedBatches(context);
