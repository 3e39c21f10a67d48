import { usageError } from '../../errors.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Enough of a file to tell how its letters are written. */
const sampleBytes = 1000;

/** Bytes as text: UTF-8, or the UTF-16 that spreadsheets save as "Unicode text". */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let line = 1;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk.subarray(0, sampleBytes), name), { fatal: true });
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      throw notText(name, line + linesBeforeDamage(chunk, decoder.encoding));
    }
    const nul = text.indexOf('\0');
    if (nul >= 0) throw holdsNul(name, line + countLines(text.slice(0, nul)));
    line += countLines(text);
    yield text;
  }
  try {
    const rest = decoder?.decode() ?? '';
    if (rest !== '') yield rest;
  } catch {
    throw notText(name, line);
  }
}

/** By its byte-order mark; without one, by the zeros that UTF-16 puts beside plain letters. */
function encodingOf(sample: Buffer, name: string): Encoding {
  const start = sample.toString('latin1', 0, 4);
  if (start === 'PK\x03\x04') {
    throw usageError(`${name} is a workbook, not text`, 'save it as CSV UTF-8, and try again');
  }
  if (start === '\xff\xfe\0\0' || start === '\0\0\xfe\xff') {
    throw usageError(`${name} is UTF-32 text`, 'save it as UTF-8, and try again');
  }
  if (start.startsWith('\xff\xfe')) return 'utf-16le';
  if (start.startsWith('\xfe\xff')) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return 'utf-8';
  if (even === 0 && odd > sample.length / 4) return 'utf-16le';
  if (odd === 0 && even > sample.length / 4) return 'utf-16be';
  throw holdsNul(name, 1 + countLines(sample.toString('latin1', 0, sample.indexOf(0))));
}

/** No text has one; programs that read the record later may take it for the end of a string. */
const holdsNul = (name: string, line: number) =>
  usageError(
    `${name}, line ${line}: this is not text: there is a NUL character in it`,
    'expected JSON lines, a JSON array, CSV or TSV',
  );

function notText(name: string, line: number): Error {
  return usageError(
    `${name}, line ${line}: this is not UTF-8 text`,
    'save it as UTF-8 (in a spreadsheet: CSV UTF-8), and try again',
  );
}

const countLines = (text: string) => text.split('\n').length - 1;

function linesBeforeDamage(chunk: Buffer, encoding: string): number {
  const [before = ''] = new TextDecoder(encoding).decode(chunk).split('\ufffd', 1);
  return countLines(before);
}
