import { usageError } from '../../errors.ts';
import type { Streams } from '../../terminal/streams.ts';
import type { Argument } from '../command.ts';

export const idsArgument: Argument = {
  name: 'id',
  summary: 'one or more ids; - reads them from standard input, one a line',
  many: true,
  completes: 'id',
};

/** The given ids, with those from standard input in place of `-`, as they arrive. */
export async function* idsOf(names: readonly string[], streams: Streams): AsyncGenerator<string> {
  if (names.filter((name) => name === '-').length > 1) {
    throw usageError('standard input (-) can be read once only');
  }
  for (const name of names) {
    if (name === '-') yield* idLines(streams.stdin);
    else yield name;
  }
}

async function* idLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Loaded here because few commands read ids from standard input.
  const { decodeText } = await import('../../batch/input/source.ts');
  let line = '';
  for await (const text of decodeText(chunks, 'standard input')) {
    const [end = '', ...others] = text.split(/[\r\n]/);
    line += end;
    for (const next of others) {
      if (line.trim() !== '') yield line.trim();
      line = next;
    }
  }
  if (line.trim() !== '') yield line.trim();
}
