import { parcelOf, type Rules } from '../../batch/check.ts';
import type { Source } from '../../batch/input/source.ts';
import { plural } from '../../batch/summary.ts';
import { buildRequest } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { printsRecords } from './batchOutput.ts';
import { rowsToSend } from './batchRun.ts';
import { printRequest } from './dryRun.ts';

/** Shows what would be sent: the first request, or with `--jsonl` all of them. */
export async function showRows(
  context: Context,
  source: Source,
  rules: Rules,
  isSent: (row: number) => boolean,
): Promise<void> {
  const { baseUrl } = context.identity();
  let rows = 0;
  for await (const row of rowsToSend(source, rules, isSent)) {
    rows += 1;
    if (rows > 1 && !printsRecords(context)) continue;
    await printRequest(context, buildRequest(rules.endpoint, baseUrl, parcelOf(row, rules)));
  }
  context.note(`${plural(rows)} would be sent${rows > 1 ? ', each as a request of its own' : ''}`);
}
