import { usageError } from '../../errors.ts';
import { PendingRow, type Row, readJsonRow } from './row.ts';

/** One record a line; empty lines are skipped. */
export async function* jsonLines(text: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  let number = 0;
  for await (const { content, line } of linesOf(text, name)) {
    number += 1;
    if (number === 1 && content.trim() === '{') throw spread(name, line);
    yield { number, line, read: () => readJsonRow(content) };
  }
}

/** All its lines would be told, each as a row that is not valid. */
const spread = (name: string, line: number) =>
  usageError(
    `${name}, line ${line}: this record goes on over several lines`,
    'one record a line is JSONL; several like this are an array [...]; one alone goes with -f FILE',
  );

/** Only the new chunk is searched: joining and splitting a long line again for each chunk is quadratic. */
async function* linesOf(text: AsyncIterable<string>, name: string) {
  const pending = new PendingRow(name);
  let line = 1;
  for await (const chunk of text) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      pending.add(chunk.slice(start, end), line);
      const content = pending.take();
      if (content.trim() !== '') yield { content, line };
      start = end + 1;
      line += 1;
    }
    pending.add(chunk.slice(start), line);
  }
  const content = pending.take();
  if (content.trim() !== '') yield { content, line };
}
