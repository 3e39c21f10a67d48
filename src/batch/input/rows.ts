import type { Hash } from 'node:crypto';
import type { TableOptions } from './csv.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { Row } from './row.ts';
import { decodeText, type Source } from './source.ts';

/** The rows of an input, whatever its form: JSON lines, a JSON array, a table with a header. */
export async function* rowsOf(
  source: Source,
  options: Omit<TableOptions, 'name'>,
  hash?: Hash,
): AsyncGenerator<Row> {
  const text = decodeText(source.chunks(hash), source.name);
  const start = await firstText(text);
  const whole = continued(start, text);
  switch (start.trimStart()[0]) {
    case undefined:
      return;
    case '{':
      return yield* jsonLines(whole, source.name);
    case '[':
      return yield* jsonArray(whole, source.name);
    default: {
      const { tableRows } = await import('./csv.ts');
      yield* tableRows(whole, start, { ...options, name: source.name });
    }
  }
}

/** As much as it takes to see what it is. */
async function firstText(text: AsyncGenerator<string>): Promise<string> {
  const parts: string[] = [];
  for (;;) {
    const { value, done } = await text.next();
    if (done) break;
    parts.push(value);
    if (value.trim() !== '') break;
  }
  return parts.join('');
}

async function* continued(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}
