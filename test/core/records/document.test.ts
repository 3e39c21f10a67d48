import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MarError } from '../../../src/core/errors.ts';
import { printJson } from '../../../src/core/json/value.ts';
import { readRecord } from '../../../src/core/records/document.ts';
import { temporaryFile, temporaryFolder } from '../../harness/mar.ts';

/** The record that a file holds, on one line. */
async function read(content: string | Buffer, name: string): Promise<string> {
  return printJson(await readRecord(temporaryFile(content, name), Readable.from([])));
}

/** Reads from standard input, which has no name to tell the format by. */
async function readStdin(content: string): Promise<string> {
  return printJson(await readRecord('-', Readable.from([Buffer.from(content)])));
}

/** The error of a record that cannot be used, which is bad usage. */
async function refusal(reading: Promise<unknown>): Promise<MarError> {
  const error = await reading.then(
    () => 'the record was taken',
    (reason: unknown) => reason,
  );
  if (!(error instanceof MarError)) throw error;
  expect(error.kind).toBe('usage');
  return error;
}

describe('a record as JSON', () => {
  it('is kept to the digit: numbers, key order, prototype keys, escapes', async () => {
    const text = '{"2":9007199254740993,"1":1.0,"__proto__":{"a":1e400},"b":"\\ud800","c":[]}';
    expect(await read(text, 'a.json')).toBe(text);
    expect(await readStdin(text)).toBe(text);
  });

  it('may have a byte-order mark, CRLF and blanks around it', async () => {
    expect(await read('\ufeff\r\n{\r\n  "a": 1\r\n}\r\n', 'a.json')).toBe('{"a":1}');
    expect(await readStdin('\ufeff{"a":1}')).toBe('{"a":1}');
  });

  it('is recognised by its first character where the name does not show it', async () => {
    expect(await read('\n {"a":1.0}', 'record')).toBe('{"a":1.0}');
    // As YAML, it would be valid.
    await refusal(readStdin('{"a":1,}'));
  });

  it.each([
    ['{\n "asset": a-1\n}\n', '"a" at line 2, column 11', '"asset": a-1'],
    ['{"a":1,\n "a":2}', '"a" at line 2, column 2', '"a":2}'],
    ['\ufeff{\r\n  "a": x\r\n}', '"x" at line 2, column 8', '"a": x'],
  ])('that is broken is reported by place and the text around: %j', async (text, place, near) => {
    const error = await refusal(read(text, 'a.json'));
    expect(error.message).toMatch(new RegExp(`a.json: .*${place}$`));
    expect(error.hints).toEqual([{ text: `Near: ${near}` }]);
  });

  it('that is broken on standard input names that', async () => {
    const { message } = await refusal(readStdin('{"a":1'));
    expect(message).toMatch(/^standard input: .* at line 1, column 7$/);
  });
});

describe('a record as YAML', () => {
  it('may have comments, a byte-order mark, CRLF and document marks', async () => {
    const text = '\ufeff# a request\r\n---\r\na: 1 # one\r\nb:\r\n  - x\r\n  - y\r\n...\r\n';
    expect(await read(text, 'a.yaml')).toBe('{"a":1,"b":["x","y"]}');
  });

  it.each(['a.yaml', 'a.yml', 'A.YAML'])('is recognised by the name %s', async (name) => {
    expect(await read('{a: 1, "b": [x, no]}', name)).toBe('{"a":1,"b":["x","no"]}');
  });

  it('is what standard input is taken for when it does not begin like JSON, or with a quoted key', async () => {
    expect(await readStdin('# note\na: 1\n')).toBe('{"a":1}');
    expect(await readStdin('"2D Scope": yes\nname: x\n')).toBe('{"2D Scope":"yes","name":"x"}');
  });

  // As numbers, some would lose what JSON cannot write.
  it.each([
    ...['no', 'yes', 'on', 'off', 'y', 'N', 'NO', 'Yes'],
    ...['2024-01-31', '2024-01-31T12:30:00Z', '12:30:45', '2024-01-31 12:30:00 +2'],
    ...['007', '+33123456789', '0x1F', '0o17', '-01', '.5', '1.', '+1.5', '1_000'],
  ])('%s stays the text that it is', async (word) => {
    expect(await read(`country: ${word}\n`, 'a.yaml')).toBe(`{"country":"${word}"}`);
  });

  it.each([
    [
      'words and nothing',
      'a: true\nb: False\nc: ~\ne:\n',
      '{"a":true,"b":false,"c":null,"e":null}',
    ],
    ['a number in another base', 'a: !!int 0x1F\n', '{"a":31}'],
    ['a big one', 'a: !!int 0xFFFFFFFFFFFFFFFFFF\n', '{"a":4722366482869645213695}'],
    ['a number that JSON writes otherwise', 'a: !!int 007\nb: !!float .5\n', '{"a":7,"b":0.5}'],
    ['quoted numbers', 'a: "1"\nb: \'2\'\nc: !!str 3\n', '{"a":"1","b":"2","c":"3"}'],
    ['keys, in their order', '2: a\ntrue: c\n1.0: e\n', '{"2":"a","true":"c","1.0":"e"}'],
    ['null, also as a key', 'a: null\nnull: d\n', '{"a":null,"null":"d"}'],
    ['lines', 'a: |\n  one\n  two\nb: >-\n  3\n  4\n', '{"a":"one\\ntwo\\n","b":"3 4"}'],
  ])('writes %s in the way that JSON has for it', async (_name, text, json) => {
    expect(await read(text, 'a.yaml')).toBe(json);
  });

  it.each(['9007199254740993', '-9007199254740993', '1.0', '1.10', '1e400', '-0', '0.10'])(
    'keeps the number %s as it was written',
    async (source) => {
      expect(await read(`a: ${source}\nb: [${source}]\n`, 'a.yaml')).toBe(
        `{"a":${source},"b":[${source}]}`,
      );
    },
  );

  it('takes __proto__ for a key like any other', async () => {
    expect(await read('__proto__:\n  polluted: 1\n', 'a.yaml')).toBe(
      '{"__proto__":{"polluted":1}}',
    );
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['a: 1\nb: 2\na: 3\n', 'duplicate key a at line 3, column 1', 'a: 3'],
    ['x:\n  a: 1\n  "a": 2\n', 'duplicate key a at line 3, column 3', '"a": 2'],
    ['1: a\n"1": b\n', 'duplicate key 1 at line 2, column 1', '"1": b'],
    ['a: [1, 2\n', 'at line'],
    ['a: "x\n', 'at line'],
    ['\ta: 1\n', 'at line 1, column 1'],
    ['a: b: c\n', 'at line 1, column 4'],
    ['a: 1\nb: @x\n', 'at line 2, column 4'],
    ['? [a]\n: 1\n', 'at line 1, column 3'],
    ['\ufeffa: 1\r\nb: @x\r\n', 'at line 2, column 4', 'b: @x'],
    ['a: 1\n---\nb: 2\n', 'at line 2, column 1'],
    ['a: 1\nb: .inf\n', 'at line 2, column 4'],
    ['a: 1\nb: -.inf\n', 'at line 2, column 4'],
    ['a: 1\nb: .nan\n', 'at line 2, column 4'],
  ])('that is broken is reported by line and column: %j', async (text, message, near?: string) => {
    const error = await refusal(read(text, 'a.yaml'));
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('parseAllDocuments');
    if (near) expect(error.hints).toEqual([{ text: `Near: ${near}` }]);
  });

  it.each([
    ['a value is an alias', 'a: &one {x: 1}\nb: *one\n', '*one'],
    ['an alias stands for nothing', 'a: 1\nb: *missing\n', 'missing'],
    ['an alias stands for what it is part of', 'a: &a [*a]\n', '*a'],
    ['it never ends to go deeper', `a: ${'['.repeat(20_000)}`, ''],
  ])('is refused, not a crash, when %s', async (_name, text, message) => {
    expect((await refusal(read(text, 'a.yaml'))).message).toContain(message);
  });

  it('is nested as deep as JSON may be, and no deeper', async () => {
    const nested = (levels: number) => `a: ${'['.repeat(levels)}x${']'.repeat(levels)}`;
    expect(await read(nested(499), 'a.yaml')).toContain('"x"');
    const error = await refusal(read(nested(500), 'a.yaml'));
    expect(error.message).toMatch(/500 levels at line \d+, column \d+$/);
  });
});

describe('what is not a record', () => {
  it.each([
    ['', 'a.json'],
    ['', 'a.yaml'],
    [' \r\n\t', 'a.json'],
    ['\ufeff', 'a.json'],
  ])('%j is empty', async (text, name) => {
    expect((await refusal(read(text, name))).message).toMatch(/ is empty$/);
  });

  it.each([
    ['[{"a":1}]', 'a.json'],
    ['"a"', 'a.json'],
    ['1', 'a.json'],
    ['null', 'a.json'],
    ['- a: 1\n', 'a.yaml'],
    ['just text\n', 'a.yaml'],
    ['# a comment alone\n', 'a.yaml'],
    ['---\n', 'a.yaml'],
  ])('%j is no object', async (text, name) => {
    expect((await refusal(read(text, name))).message).toContain('object');
  });

  it.each([
    ['a file that is not there', 'missing.json', 'no such file'],
    ['a folder', '.', 'folder'],
  ])('%s is named', async (_name, place, reason) => {
    const file = path.join(temporaryFolder(), place);
    const error = await refusal(readRecord(file, Readable.from([])));
    expect(error.message).toMatch(new RegExp(`${file}: .*${reason}$`));
  });

  it.each([
    ['Latin-1', Buffer.from('{"name":"Zo\xeb"}', 'latin1')],
    ['UTF-32', Buffer.from('fffe00007b0000007d000000', 'hex')],
    ['UTF-16 that is cut', Buffer.from('\ufeff{"name":"Zoë"}', 'utf16le').subarray(0, -1)],
  ])('a file in %s is refused: it would be sent with letters lost', async (_name, bytes) => {
    await refusal(read(bytes, 'a.json'));
    await refusal(read(bytes, 'a.yaml'));
  });
});

it.each(['a.json', 'a.yaml'])('%s may be in UTF-16, as PowerShell writes it', async (name) => {
  const bytes = () => Buffer.from('\ufeff{"name":"Zoë"}', 'utf16le');
  expect(await read(bytes(), name)).toBe('{"name":"Zoë"}');
  expect(await read(bytes().swap16(), name)).toBe('{"name":"Zoë"}');
});

describe('standard input', () => {
  it('is read only when it is asked for', async () => {
    const stdin = new Readable({
      read() {
        throw new Error('nobody asked');
      },
    });
    const file = temporaryFile('{"a":1}', 'a.json');
    expect(printJson(await readRecord(file, stdin))).toBe('{"a":1}');
  });

  it('is put together from its pieces, in the middle of a letter too', async () => {
    const bytes = Buffer.from('{"name":"蜘蛛"}');
    const stdin = Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]);
    expect(printJson(await readRecord('-', stdin))).toBe('{"name":"蜘蛛"}');
  });
});
