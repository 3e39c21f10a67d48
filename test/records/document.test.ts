import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MarError } from '../../src/errors.ts';
import { printJson } from '../../src/json/value.ts';
import { readRecord } from '../../src/records/document.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';

function fileWith(content: string | Buffer, name: string): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

/** The record that a file holds, on one line. */
async function read(content: string | Buffer, name: string): Promise<string> {
  return printJson(await readRecord(fileWith(content, name), Readable.from([])));
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
    expect((await refusal(readStdin('{"a":1,}'))).message).toContain('expected a quoted key');
  });

  it('that is broken is reported by line, column and the text around', async () => {
    const file = fileWith('{\n  "asset": a-1001,\n  "language": "fra"\n}\n', 'a.json');
    const error = await refusal(readRecord(file, Readable.from([])));
    expect(error.message).toBe(`${file}: expected a value, found "a" at line 2, column 12`);
    expect(error.details.hint).toBe('Near: "asset": a-1001,');
  });

  it('that is broken on standard input, or has a key twice, reports it', async () => {
    expect((await refusal(readStdin('{"a":1'))).message).toBe(
      'standard input: expected "," or "}", found the end of the input at line 1, column 7',
    );
    const twice = await refusal(read('{"a":1,\n "a":2}', 'a.json'));
    expect(twice.message).toContain('duplicate key "a" at line 2, column 2');
  });

  it('keeps the place of an error behind a byte-order mark and CRLF', async () => {
    const error = await refusal(read('\ufeff{\r\n  "a": x\r\n}', 'a.json'));
    expect(error.message).toContain('at line 2, column 8');
    expect(error.details.hint).toBe('Near: "a": x');
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

  it.each(['no', 'yes', 'on', 'off', 'y', 'N', 'NO', 'Yes'])('%s is a text', async (word) => {
    expect(await read(`country: ${word}\n`, 'a.yaml')).toBe(`{"country":"${word}"}`);
  });

  it.each(['2024-01-31', '2024-01-31T12:30:00Z', '12:30:45', '2024-01-31 12:30:00 +2'])(
    'the date %s stays the text that it is',
    async (date) => {
      expect(await read(`due: ${date}\n`, 'a.yaml')).toBe(`{"due":"${date}"}`);
    },
  );

  const withAlias = 'a: &one {x: 1.0, y: [2]}\nb: *one\nc: [*one, &s t, *s]\n';
  const repeated = '{"x":1.0,"y":[2]}';
  it.each([
    [
      'words and nothing',
      'a: true\nb: False\nc: ~\ne:\n',
      '{"a":true,"b":false,"c":null,"e":null}',
    ],
    ['null', 'a: null\n', '{"a":null}'],
    ['a number in another base', 'a: !!int 0x1F\n', '{"a":31}'],
    ['a big one', 'a: !!int 0xFFFFFFFFFFFFFFFFFF\n', '{"a":4722366482869645213695}'],
    ['a number that JSON writes otherwise', 'a: !!int 007\nb: !!float .5\n', '{"a":7,"b":0.5}'],
    ['quoted numbers', 'a: "1"\nb: \'2\'\nc: !!str 3\n', '{"a":"1","b":"2","c":"3"}'],
    ['what only looks like a number', 'd: 1_000\n', '{"d":"1_000"}'],
    [
      'keys, in their order',
      '2: a\n1: b\ntrue: c\n1.0: e\n',
      '{"2":"a","1":"b","true":"c","1.0":"e"}',
    ],
    ['a key of null', 'null: d\n', '{"null":"d"}'],
    [
      'lines',
      'a: |\n  one\n  two\nb: >-\n  three\n  four\n',
      '{"a":"one\\ntwo\\n","b":"three four"}',
    ],
    ['an alias', withAlias, `{"a":${repeated},"b":${repeated},"c":[${repeated},"t","t"]}`],
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

  it.each(['007', '+33123456789', '0x1F', '0o17', '-01', '.5', '1.', '+1.5'])(
    '%s is a text: as a number it would lose what JSON cannot write',
    async (source) => {
      expect(await read(`a: ${source}\n`, 'a.yaml')).toBe(`{"a":"${source}"}`);
    },
  );

  it.each(['.inf', '-.inf', '.nan'])('%s is refused: JSON has no such number', async (word) => {
    const error = await refusal(read(`a: 1\nb: ${word}\n`, 'a.yaml'));
    expect(error.message).toContain(`${word} is not a number in JSON at line 2, column 4`);
  });

  it('takes __proto__ for a key like any other', async () => {
    expect(await read('__proto__:\n  polluted: 1\n', 'a.yaml')).toBe(
      '{"__proto__":{"polluted":1}}',
    );
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['a: 1\nb: 2\na: 3\n', 'a at line 3, column 1', 'a: 3'],
    ['x:\n  a: 1\n  "a": 2\n', 'a at line 3, column 3', '"a": 2'],
    ['1: a\n"1": b\n', '1 at line 2, column 1', '"1": b'],
  ])('may not have a key twice: %j', async (text, place, near) => {
    const error = await refusal(read(text, 'a.yaml'));
    expect(error.message).toMatch(new RegExp(`duplicate key ${place}$`));
    expect(error.details.hint).toBe(`Near: ${near}`);
  });

  it.each([
    ['a: [1, 2\n', 'line'],
    ['a: "x\n', 'line'],
    ['\ta: 1\n', 'line 1, column 1'],
    ['a: b: c\n', 'line 1, column 4'],
    ['a: 1\nb: @x\n', 'line 2, column 4'],
    ['? [a]\n: 1\n', 'line 1, column 3'],
  ])('that is broken is reported by line and column: %j', async (text, place) => {
    const error = await refusal(read(text, 'a.yaml'));
    expect(error.message).toContain(`at ${place}`);
  });

  it('that is broken is shown around the place, behind a byte-order mark and CRLF', async () => {
    const error = await refusal(read('\ufeffa: 1\r\nb: @x\r\n', 'a.yaml'));
    expect(error.message).toContain('at line 2, column 4');
    expect(error.details.hint).toBe('Near: b: @x');
  });

  it('makes parts of its own of an alias, so that one can be changed alone', async () => {
    const server = await recordingServer('{}');
    const argv = ['wr', 'create', '--skip-checks', '-f', '-', '--set', 'b.x=2'];
    const run = await mar(argv, { ...server, stdin: 'a: &one {x: 1}\nb: *one\n' });
    expect(run.code, run.stderr).toBe(0);
    expect(server.requests[0]).toMatch(/\r\n\r\n{"a":{"x":1},"b":{"x":2}}$/);
  });

  it.each([
    ['an alias stands for nothing', 'a: 1\nb: *missing\n', 'missing'],
    ['an alias stands for what it is part of', 'a: &a [*a]\n', ''],
    ['it never ends to go deeper', `a: ${'['.repeat(20_000)}`, ''],
  ])('is refused, not a crash, when %s', async (_name, text, message) => {
    expect((await refusal(read(text, 'a.yaml'))).message).toContain(message);
  });

  it('is refused soon when aliases of aliases would fill the memory', async () => {
    const names = [...'abcdefghij'];
    const lines = names.map((name, index) => {
      const inside = index === 0 ? 'x' : `*${names[index - 1]}`;
      return `${name}: &${name} [${Array(9).fill(inside).join(', ')}]`;
    });
    const error = await refusal(read(lines.join('\n'), 'a.yaml'));
    expect(error.message).toContain('too many');
  });

  it('is read in a moment when it has thousands of aliases', async () => {
    // Quadratic work would take longer than the test's time limit.
    const count = 20_000;
    const record = await read(`a: &a x\nl:\n${'  - *a\n'.repeat(count)}`, 'a.yaml');
    expect(record).toBe(`{"a":"x","l":[${Array(count).fill('"x"').join(',')}]}`);
  });

  it('is nested as deep as JSON may be, with aliases counted, and no deeper', async () => {
    const nested = (levels: number) => `a: ${'['.repeat(levels)}x${']'.repeat(levels)}`;
    expect(await read(nested(499), 'a.yaml')).toContain('"x"');
    const chain = Array.from({ length: 501 }, (_, at) => `k${at}: &k${at} [*k${at - 1}]`).slice(1);
    for (const text of [nested(500), ['k0: &k0 x', ...chain].join('\n')]) {
      const error = await refusal(read(text, 'a.yaml'));
      expect(error.message).toMatch(/nested deeper than 500 levels at line \d+, column \d+$/);
    }
  });

  it('is one document, and reports it in words of its own', async () => {
    const error = await refusal(read('a: 1\n---\nb: 2\n', 'a.yaml'));
    expect(error.message).toContain('at line 2, column 1');
    expect(error.message).not.toContain('parseAllDocuments');
  });
});

describe('what is not a record', () => {
  it.each([
    ['an empty file', '', 'a.json'],
    ['an empty file of YAML', '', 'a.yaml'],
    ['blanks', ' \r\n\t', 'a.json'],
    ['a byte-order mark alone', '\ufeff', 'a.json'],
  ])('%s is empty', async (_name, text, name) => {
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
    const error = await refusal(read(text, name));
    expect(error.message).toContain('expected one record (an object with fields)');
  });

  it.each([
    ['a file that is not there', 'missing.json', 'no such file'],
    ['a folder', '.', 'it is a folder'],
  ])('%s is named', async (_name, place, reason) => {
    const file = path.join(temporaryFolder(), place);
    const error = await refusal(readRecord(file, Readable.from([])));
    expect(error.message).toBe(`cannot read ${file}: ${reason}`);
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
    const file = fileWith('{"a":1}', 'a.json');
    expect(printJson(await readRecord(file, stdin))).toBe('{"a":1}');
  });

  it('is put together from its pieces, in the middle of a letter too', async () => {
    const bytes = Buffer.from('{"name":"蜘蛛"}');
    const stdin = Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]);
    expect(printJson(await readRecord('-', stdin))).toBe('{"name":"蜘蛛"}');
  });
});
