import { decodeText } from '../../batch/input/source.ts';

/** The ids in a text, one a line, as they arrive. An id that is not UTF-8 would be another id. */
export async function* idLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
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
