import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { marWith } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const get = ['asset', 'get', 'a-1001'];

/** A record with all that gets lost on the way through ordinary values. */
const record =
  '{"_id":"a-1001","2":9007199254740993,"1":1.0,"unknown":{"__proto__":{"x":1e400},"b":[],"a":{}},"s":"\\/ \\" é","created":1700000000000000001}';

describe('--json', () => {
  it("is the service's record exactly, on one line, when it is piped", async () => {
    const run = await marWith(record, [...get, '--json']);
    expect(run).toEqual({ code: 0, stdout: `${record}\n`, stderr: '' });
  });

  it('is one line of what the service sent on many', async () => {
    const sent = '\ufeff{\r\n  "b" : 1.0,\r\n  "a" : [ 1, 2 ]\r\n}\r\n';
    const run = await marWith(sent, [...get, '--json']);
    expect(run.stdout).toBe('{"b":1.0,"a":[1,2]}\n');
  });

  it('is indented on a terminal, with the same digits in the same places', async () => {
    const run = await marWith(record, [...get, '--json'], { columns: 80 });
    expect(run.stdout).toContain('{\n  "_id": "a-1001",\n  "2": 9007199254740993,\n  "1": 1.0,\n');
    expect(run.stdout.replace(/\n */g, '').replaceAll('": ', '":')).toBe(record);
  });

  it.each([
    [[...get, '-o', 'json']],
    [[...get, '--output-format=json']],
    [[...get, '-ojson']],
    [['--json', ...get]],
  ])('is also what mar %j prints', async (argv) => {
    expect((await marWith(record, argv)).stdout).toBe(`${record}\n`);
  });

  it.each([
    [['wr', 'create', '--skip-checks', '--set', 'a=1']],
    [['asset', 'put', '-f', '-']],
    [['user', 'put', 'a-1001', '-f', '-']],
    [['offline', 'put', 'a-1001', '-f', '-']],
    [['preview', 'put', '-f', '-']],
    [['event', 'put', '-f', '-']],
    [['translation', 'submit', '-f', '-']],
    [['file', 'upload-meta', '-f', '-']],
  ])('of the write %j is what the service made of it', async (argv) => {
    const reads = argv[0] === 'user' ? [`[${record}]`] : [record];
    const isChange = argv[0] === 'user' || argv[0] === 'asset';
    const stdin = isChange ? '{"_id":"a-1001","s":"new"}' : '{"_id":"a-1001"}';
    const written = isChange ? JSON.stringify(JSON.parse(stdin)) : record;
    const run = await marWith(isChange ? [...reads, written] : record, [...argv, '--json'], {
      stdin,
    });
    expect(run.stdout, run.stderr).toBe(`${written}\n`);
  });

  it('of what the program itself knows is JSON too', async () => {
    const { env, baseUrl } = await recordingServer('[]');
    const run = await mar(['whoami', '--check', '--json'], { env });
    expect(JSON.parse(run.stdout)).toEqual({
      profile: 'default',
      email: 'ines@northlight.example',
      baseUrl,
      token: 'MAR_TOKEN',
      checked: true,
    });
  });
});

describe('--jsonl', () => {
  it.each([undefined, 80])('is one line for one record, with a terminal of %s', async (columns) => {
    const run = await marWith(`\n${record}\n`, [...get, '--jsonl'], { columns });
    expect(run.stdout).toBe(`${record}\n`);
  });
});

describe('a record that does not fit its documented shape', () => {
  const odd = '{"_id":"a-1001","name":5,"created":"yesterday"}';

  it('is printed, with a warning that names the field', async () => {
    const run = await marWith(odd, [...get, '--json']);
    expect(run).toMatchObject({ code: 0, stdout: `${odd}\n` });
    const message = expect.stringMatching(/\bname\b.*\b5$/);
    expect(JSON.parse(run.stderr).warning).toEqual({ code: 'schema-mismatch', message });
  });

  it.each(['12345678901234567890', '1.0', '1e400'])('is quoted exactly: %s', async (name) => {
    for (const argv of [get, ['file', 'list']]) {
      const body = argv === get ? `{"_id":"a-1001","name":${name}}` : `[{"name":${name}}]`;
      const { stderr } = await marWith(body, [...argv, '--json']);
      expect(JSON.parse(stderr).warning.message).toMatch(new RegExp(` ${name}$`));
    }
  });

  it('is still shown to people, with what can be read of it', async () => {
    const shapes = '{"_id":7,"name":{"x":1},"previews":"none","usage":[]}';
    const run = await marWith(shapes, get, { columns: 80 });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain('7');
  });

  it('of which a list has many is warned of once', async () => {
    const run = await marWith('[{"name":1},{"name":1},{"name":1}]', ['file', 'list', '--jsonl']);
    expect(run).toMatchObject({ code: 0, stdout: '{"name":1}\n{"name":1}\n{"name":1}\n' });
    expect(run.stderr.match(/warning/g)).toHaveLength(1);
  });

  it('has nothing to do with fields that are not known', async () => {
    const run = await marWith('{"_id":"a-1001","brandNew":{"x":[1,"2"]}}', [...get, '--strict']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
  });
});
