import { type Row, readJsonRow } from './row.ts';

/** One record a line; empty lines are skipped. */
export async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<Row> {
  let number = 0;
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content.trim() === '') continue;
    number += 1;
    yield { number, line, read: () => readJsonRow(content) };
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let pending = '';
  for await (const chunk of text) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    yield* lines;
  }
  if (pending !== '') yield pending;
}
