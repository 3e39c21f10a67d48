import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' };
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { marOk, type Outcome } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { hostile, liveControls } from './samples.ts';

/** Links lose their query in rows, by contract; here each text is to come out as it went in. */
const signed = /\/\/\S+\?\S/;
const strings = [...naughtyStrings, ...hostile, ...linesOf(hostile)].filter(
  // UTF-8 has no half of a pair.
  (text) => !signed.test(text) && text.isWellFormed(),
);

function linesOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [`${text}\n`, `\t${text}`, `"${text}"`, `${text},${text}\r\n`]);
}

const columns = ['_id', 'name', 'language', 'type', 'more.deep'];
const record = (text: string) => ({
  _id: text,
  name: text,
  language: text,
  type: text,
  more: { deep: text },
});
const rows = strings.map((text) => columns.map(() => text));

async function listed(flags: readonly string[], options: { columns?: number } = {}) {
  const { env } = await recordingServer(JSON.stringify(strings.map(record)), '[]');
  const run = await marOk(['file', 'list', '--all', ...flags], { env, ...options });
  return run;
}

/** Control characters that a terminal would obey, except line breaks. */
const live = ({ stdout }: Outcome) => stdout.split('\n').flatMap((line) => liveControls(line));

/** The other half of what TSV escapes, written from its description. */
function unescaped(cell: string): string {
  const named: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
  return cell.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_match, hex?: string, name?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (named[name ?? ''] ?? '?'),
  );
}

const isNegativeNumber = (text: string) => /^-\d/.test(text) && !Number.isNaN(Number(text));

const readTsv = (text: string): string[][] =>
  parseCsv(text, { delimiter: '\t', quote: false, recordDelimiter: '\n' }).map((row: string[]) =>
    row.map(unescaped),
  );

/** A protected cell starts with ', which is followed by a JSON string if a cell cannot hold the text. */
function unprotected(cell: string): string {
  if (/^'"(?:[^"\\]|\\.)*"$/.test(cell)) return JSON.parse(cell.slice(1));
  return /^'+["=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}

describe('naughty strings in every field', () => {
  it('are read back from CSV exactly', async () => {
    const { stdout } = await listed(['-o', 'csv', '--csv-raw', '--columns', columns.join()]);
    expect(parseCsv(stdout)).toEqual([columns, ...rows]);
  });

  it("are read back from guarded CSV exactly, but for the ' that protects a cell", async () => {
    const { stdout } = await listed(['-o', 'csv', '--columns', columns.join()]);
    const read: string[][] = parseCsv(stdout);
    for (const [index, row] of read.slice(1).entries()) {
      const text = strings[index] ?? '';
      const mayRun = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !isNegativeNumber(text);
      expect(row.map(unprotected)).toEqual(columns.map(() => text));
      if (mayRun) expect(row.every((cell) => cell.startsWith("'"))).toBe(true);
    }
    expect(read).toHaveLength(strings.length + 1);
  });

  it('are read back from TSV exactly', async () => {
    const { stdout } = await listed(['-o', 'tsv', '--columns', columns.join()]);
    expect(readTsv(stdout)).toEqual(rows);
  });

  it('are read back from YAML exactly, from YAML 1.1 too', async () => {
    const { stdout } = await listed(['-o', 'yaml']);
    for (const version of ['1.1', '1.2'] as const) {
      expect(parseYaml(stdout, { version })).toEqual(strings.map(record));
    }
  });

  it.each(['--json', '--jsonl'])('are read back from %s exactly', async (flag) => {
    const { stdout } = await listed([flag]);
    const read = flag === '--json' ? JSON.parse(stdout) : stdout.trimEnd().split('\n').map(parsed);
    expect(read).toEqual(strings.map(record));
  });

  it('are read back through jq exactly', async () => {
    const { stdout } = await listed(['--jq', '[.[]]']);
    const read = stdout.trimEnd().split('\n').map(parsed);
    expect(read).toEqual(strings.map((text) => Object.values(record(text))));
  });

  it.each(['table', 'json', 'jsonl', 'csv', 'yaml'])(
    'leave no live control on a terminal as %s',
    async (format) => {
      for (const width of [40, 200]) {
        expect(live(await listed(['-o', format, '--no-color'], { columns: width }))).toEqual([]);
      }
    },
  );

  it('leave nothing live on a terminal as TSV but the tabs between cells', async () => {
    const run = await listed(['-o', 'tsv'], { columns: 80 });
    expect(live({ ...run, stdout: run.stdout.replaceAll('\t', ' ') })).toEqual([]);
  });

  it.each(['.name', '.'])('leave no live control on a terminal through jq %s', async (filter) => {
    expect(live(await listed(['--jq', filter], { columns: 80 }))).toEqual([]);
  });
});

const parsed = (line: string): unknown => JSON.parse(line);

describe('naughty strings as keys', () => {
  const keys = [...new Set(strings)];
  const odd = Object.fromEntries(keys.map((key, index) => [key, index]));

  async function shown(flags: readonly string[], options: { columns?: number } = {}) {
    const { env } = await recordingServer(JSON.stringify({ _id: 'a-1', odd }));
    const run = await marOk(['api', 'GET', '/x', ...flags], { env, ...options });
    return run;
  }

  /** The key at the end of `odd.key` and `odd["key"]`. */
  const keyOf = (path: string) => {
    const quoted = /^odd\[(".*")\]$/su.exec(path)?.[1];
    return quoted === undefined ? path.replace(/^odd\./, '') : JSON.parse(quoted);
  };

  it('are read back from the header of CSV', async () => {
    const { stdout } = await shown(['-o', 'csv', '--csv-raw']);
    const [header = [], ...values]: string[][] = parseCsv(stdout);
    expect(values).toHaveLength(1);
    const read = header.map((path, index) => [path, values[0]?.[index]] as const).slice(1);
    expect(Object.fromEntries(read.map(([path, value]) => [keyOf(path), Number(value)]))).toEqual(
      odd,
    );
  });

  it('are read back from the rows of TSV', async () => {
    const { stdout } = await shown(['-o', 'tsv']);
    const read = readTsv(stdout).slice(1);
    expect(
      Object.fromEntries(read.map(([path = '', value]) => [keyOf(path), Number(value)])),
    ).toEqual(odd);
  });

  it('are read back from YAML', async () => {
    const { stdout } = await shown(['-o', 'yaml']);
    for (const version of ['1.1', '1.2'] as const) {
      expect(parseYaml(stdout, { version })).toEqual({ _id: 'a-1', odd });
    }
  });

  it.each(['table', 'json', 'jsonl', 'csv', 'yaml'])(
    'leave no live control on a terminal as %s',
    async (format) => {
      expect(live(await shown(['-o', format, '--no-color'], { columns: 80 }))).toEqual([]);
    },
  );
});
