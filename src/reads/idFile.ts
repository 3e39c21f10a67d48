import { pathSegment } from '../client/request.ts';
import { type Input, option, readOption } from '../input.ts';
import type { Context } from '../session/context.ts';

export const fromOption = option(
  '--from <file>',
  'also take the ids in this file: one on each line, or a table (CSV, Excel) or JSON with _id',
  { completes: 'file' },
);

/** The ids in the file of `--from`. A report of a batch has the column `id`. */
export async function idsFrom(context: Context, input: Input): Promise<string[]> {
  return (await readOption(input, 'from', (file) => idsInFile(context, file))) ?? [];
}

async function idsInFile(context: Context, file: string): Promise<string[]> {
  const { readColumn } = await import('../rows/column.ts');
  const { idReader } = await import('./ids.ts');
  const readId = idReader(context);
  return [...new Set(await readColumn('--from', file, ['_id', 'id']))].map((word) => {
    const id = readId(word, 'WorkRequest');
    pathSegment(id);
    return id;
  });
}
