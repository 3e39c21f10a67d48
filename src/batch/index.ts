import type { EndpointId } from '../api/endpoints.ts';
import type { Input } from '../input.ts';
import type { Results } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import type { BatchCommand } from './rules.ts';

/*
 * Batches: rows of a file, each sent once and recorded in a journal. All of it is loaded late, because
 * most runs of a command that takes --batch send a single record.
 */

export type { BatchCommand, RowTemplate } from './rules.ts';

export async function* runBatch(context: Context, command: BatchCommand): Results {
  yield* (await import('./run.ts')).runBatch(context, command);
}

export async function* resolveBatch(context: Context, input: Input): Results {
  yield* (await import('./resolve.ts')).resolveBatch(context, input);
}

// The contents of journals.
export async function* batchStatus(context: Context, file: string): Results {
  yield* (await import('./report/status.ts')).batchStatus(context, file);
}
export async function* batchReport(
  ...report: Parameters<typeof import('./report/status.ts').batchReport>
): Results {
  yield* (await import('./report/status.ts')).batchReport(...report);
}
export const unfinishedBatches = async (context: Context) =>
  (await import('./unfinished.ts')).unfinishedBatches(context);
export const createdIds = async (context: Context, file: string, endpoint: EndpointId) =>
  (await import('./report/status.ts')).createdIds(context, file, endpoint);
