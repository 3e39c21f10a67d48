import { existsSync } from 'node:fs';
import { bodyOf } from '../../../core/api/endpoints.ts';
import { schemaOf } from '../../../core/client/client.ts';
import { usageError } from '../../../core/errors.ts';
import { checkOutputPath } from '../../../core/files/paths.ts';
import type { Row } from '../../../core/rows/row.ts';
import { readRows } from '../../../core/rows/rows.ts';
import { openSource } from '../../../core/rows/source.ts';
import type { Context } from '../../../core/session/context.ts';
import { words } from '../../../core/values/commandLine.ts';
import { endpointOf } from './format.ts';
import { journalHolder } from './journal.ts';
import { journalsOf, keptInputPath } from './journalPaths.ts';
import { isJournal, type OnLine, type ReplayedJournal, replayExisting } from './replay.ts';

/**
 * The journals of a batch. `file` is its input, which has one for each shard, or a journal. The output
 * of the command must not replace any of them.
 */
export async function findJournals(file: string, outputFile?: string): Promise<string[]> {
  const beside = journalsOf(file).map(({ journal }) => journal);
  checkOutputPath('-O', outputFile, [file, ...beside]);
  if (beside.length > 0) return beside;
  if (isJournal(file)) return [file];
  throw usageError(
    existsSync(file)
      ? `this batch has not been started: ${file} has no journal`
      : `cannot find ${file} or its journal`,
    'Give the file of a batch that was started. If its journal is somewhere else, give the journal.',
  );
}

/** The journal of a batch of the log: `--again=all` keeps it under another name. */
export function journalOf({ journal, id }: { journal: string; id: string }): string {
  if (!existsSync(journal)) return journal;
  const files = [journal];
  while (existsSync(`${journal}.${files.length}`)) files.push(`${journal}.${files.length}`);
  const own = files.find((file) => replayExisting(file).header.id === id);
  if (own === undefined) {
    throw usageError(`${journal} is the journal of another batch`, 'Nothing was written.');
  }
  return own;
}

/** Finds the journal for a command that works on one of them. */
export async function findJournal(
  file: string,
  command: 'resolve' | 'undo',
  outputFile?: string,
): Promise<string> {
  const [journal = '', ...others] = await findJournals(file, outputFile);
  if (others.length === 0) return journal;
  const each = [journal, ...others].map((one) => ({
    text: ' ',
    command: words`mar batch ${command} ${one}`,
  }));
  throw usageError(
    `${file} was sent in ${others.length + 1} shards, each with a journal of its own`,
    ['Name the journals, one after the other:', ...each],
  );
}

/**
 * A journal and the process that runs its batch, if there is one. Otherwise nobody knows the outcome of
 * the rows in progress.
 */
export async function readJournal(path: string, onLine?: OnLine) {
  const replayed = replayExisting(path, onLine);
  const holder = journalHolder(path);
  if (!holder) replayed.states.markInterrupted();
  return { ...replayed, holder };
}

/** The name of a batch for commands: its input, or the journal if that is elsewhere or of a shard. */
export function batchName(journal: string): string {
  const input = journal.replace(/\.mar-journal$/, '');
  return existsSync(input) ? input : journal;
}

/** A copy of standard input, or the input beside which the journal is, as it is now. */
function inputNear(journal: string): string | undefined {
  const beside = journal.replace(/(?:\.\d+-of-\d+)?\.mar-journal$/, '');
  return [keptInputPath(journal), beside].find((file) => file !== journal && existsSync(file));
}

/** The file with the rows of a journal. */
export const inputOf = ({ path, header }: ReplayedJournal): string =>
  inputNear(path) ?? header.input;

/** The rows as they are in the file, for their content and their keys. */
export async function* journaledRows(
  { world }: Pick<Context, 'world'>,
  journal: ReplayedJournal,
): AsyncGenerator<Row> {
  const { header } = journal;
  // A journal may name any file, and an agent only those of its folder.
  const file = world.agent === undefined ? inputOf(journal) : inputNear(journal.path);
  const endpoint = endpointOf(header.command);
  if (!endpoint || file === undefined || !existsSync(file)) return;
  const source = await openSource(file);
  try {
    yield* readRows(source, { bodySchema: await schemaOf(bodyOf(endpoint)), sheet: header });
  } finally {
    await source.close();
  }
}
