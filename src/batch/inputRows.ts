import { existsSync } from 'node:fs';
import { bodyOf } from '../api/endpoints.ts';
import { schemaOf } from '../client/client.ts';
import type { Row } from '../rows/row.ts';
import { readRows } from '../rows/rows.ts';
import { openSource } from '../rows/source.ts';
import { inputBeside } from './journal/findJournals.ts';
import { endpointOf } from './journal/format.ts';
import { keptInputPath } from './journal/journalPaths.ts';
import type { ReplayedJournal } from './journal/replay.ts';

/** The file with the rows of a journal: a copy of standard input, or the input as it is now. */
export function inputOf({ path, header }: ReplayedJournal): string {
  const kept = keptInputPath(path);
  return existsSync(kept) ? kept : (inputBeside(path) ?? header.input);
}

/** The rows as they are in the file, for their content and their keys. */
export async function* rowsOf({ header }: ReplayedJournal, file: string): AsyncGenerator<Row> {
  const endpoint = endpointOf(header.command);
  if (!endpoint || !existsSync(file)) return;
  const source = await openSource(file);
  try {
    yield* readRows(source, { bodySchema: await schemaOf(bodyOf(endpoint)), sheet: header });
  } finally {
    await source.close();
  }
}
