import { usageError } from '../../errors.ts';
import { type Row, readJsonRow } from './row.ts';

/** One record a line; empty lines are skipped. */
export async function* jsonLines(text: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  let number = 0;
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content.trim() === '') continue;
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

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let pending = '';
  for await (const chunk of text) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    yield* lines;
  }
  if (pending !== '') yield pending;
}
