import { type Endpoint, endpoints, type Resource } from '../api/endpoints.ts';
import type { Client } from '../client/client.ts';
import { pathSegment } from '../client/request.ts';
import { MarError, orUndefined, runHint, usageError } from '../errors.ts';
import { type Argument, type Input, type Invocation, option, readOption } from '../input.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { Results } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import { recentIds, remember } from '../session/remember.ts';
import { words } from '../values/commandLine.ts';
import { defaultConcurrency, mapConcurrently, settle } from '../values/concurrency.ts';

export const idsArgument: Argument = {
  name: 'id',
  summary: 'one or more ids; - reads them from standard input, one per line',
  many: true,
  completes: 'id',
};

export type FoundRecord = Awaited<ReturnType<typeof readById>>;

/**
 * Records by their ids: one id as a record, several as a list in the order given. If some ids fail,
 * the other records are printed before the failure is reported.
 */
export async function* get(
  context: Context,
  invocation: Invocation & { onPrinted?(found: FoundRecord): Promise<void> },
): Results {
  const { view, input, onPrinted } = invocation;
  const endpoint = endpoints[invocation.endpoint];
  // Check all ids before the first request.
  for (const id of input.arguments) pathSegment(id);
  const client = await context.session.client();
  const concurrency = context.session.settings.concurrency ?? defaultConcurrency.reads;
  const failures: MarError[] = [];
  const typed = new Set(input.arguments);
  const used: FoundRecord[] = [];
  async function* pages(): AsyncGenerator<[ServiceRecord]> {
    const read = (id: string) => readById(context, client, { endpoint, id });
    const ids = idsOf(context, input.arguments, endpoint.resource);
    for await (const { result, error } of mapConcurrently(ids, concurrency, read)) {
      if (result) {
        // Standard input may hold thousands of ids, which nobody types again.
        if (typed.has(result.id)) used.push(result);
        yield [result.record];
        await onPrinted?.(result);
      } else if (error instanceof MarError) failures.push(error);
      else throw error;
    }
  }
  const isOne = input.arguments.length === 1 && input.arguments[0] !== '-';
  if (isOne) for await (const [record] of pages()) yield { kind: 'record', record, view };
  else yield { kind: 'list', pages: pages(), view };
  await remember(context.session, endpoint.resource, used);
  if (failures.length > 0) throw MarError.together(failures);
}

/** An id such as `wr-2001` or one of 24 hexadecimal digits. A name such as T-34 has capitals. */
export const wholeId = /^[a-z]{1,3}-\d+$|^[\da-fA-F]{24}$/;

/** People type a part of an id, a name, or the id of an asset. A failure says what to do. */
export async function readById(
  { session }: Context,
  client: Client,
  { endpoint, id }: { endpoint: Endpoint; id: string },
) {
  const { result: record, error } = await settle(client.call(endpoint, { id }));
  if (record) return { id, record };
  if (!(error instanceof MarError) || error.kind !== 'not-found') throw error;
  const isRequest = endpoint.resource === 'WorkRequest';
  if (isRequest && recentIds(session, 'Asset').some((asset) => asset.id === id)) {
    throw error.withHint(runHint(`${id} is an asset. To show it`, words`mar asset get ${id}`));
  }
  if (isRequest && wholeId.test(id)) throw error;
  throw error.withHint(runHint('To search', words`mar find ${id}`));
}

export const stdinReadTwice = () =>
  usageError('standard input (-) can be read only once', { value: '-' });

/** Yields the ids from standard input in place of `-`, as they arrive. Addresses become ids. */
async function* idsOf(
  context: Context,
  names: readonly string[],
  resource: Resource,
): AsyncGenerator<string> {
  if (names.filter((name) => name === '-').length > 1) throw stdinReadTwice();
  for (const name of names) {
    if (name !== '-') yield name;
    else {
      const readId = (await import('./ids.ts')).idReader(context);
      for await (const line of idLines(context.world.streams.stdin)) yield readId(line, resource);
    }
  }
}

export const fromOption = option(
  '--from <file>',
  'also take ids from this file: text, CSV, Excel or JSON records',
  {
    completes: 'file',
  },
);

/** The work requests that arguments and `--from` name, each once. All ids are checked before the first request. */
export async function distinctIds(context: Context, input: Input): Promise<string[]> {
  const ids = new Set<string>();
  const add = (id: string) => {
    pathSegment(id);
    ids.add(id);
  };
  for await (const id of idsOf(context, input.arguments, 'WorkRequest')) add(id);
  await readOption(input, 'from', async (file) => {
    const { readColumn } = await import('../rows/column.ts');
    const readId = (await import('./ids.ts')).idReader(context);
    // A report of a batch has the column `id`.
    const words = new Set(await readColumn('--from', file, ['_id', 'id']));
    for (const word of words) add(readId(word, 'WorkRequest'));
  });
  return [...ids];
}

async function* idLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Loaded here because few commands read ids from standard input.
  const { markedEncoding } = await import('../values/encoding.ts');
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let line = '';
  let lineBreaks = 0;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(markedEncoding(chunk) ?? 'utf-8', { fatal: true });
    const text = orUndefined(() => decoder?.decode(chunk, { stream: true }));
    if (text === undefined) {
      const [before = ''] = new TextDecoder().decode(chunk).split('\ufffd', 1);
      const number = lineBreaks + before.split('\n').length;
      throw usageError(`standard input, line ${number} is not valid text in UTF-8`);
    }
    lineBreaks += text.split('\n').length - 1;
    const [end = '', ...others] = text.split(/[\r\n]/);
    line += end;
    for (const next of others) {
      if (line.trim() !== '') yield line.trim();
      line = next;
    }
  }
  if (line.trim() !== '') yield line.trim();
}
