import { describe, expect, it } from 'vitest';
import { formats } from '../../../src/core/values/formats.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { marWith } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { outputWords } from '../../words/output.ts';

const list = ['file', 'list'];
const get = ['asset', 'get', 'a-1'];

async function printed(argv: readonly string[], ...answers: string[]) {
  const run = await marWith([...answers], argv);
  expect(run.code, run.stderr).toBe(0);
  return run.stdout;
}

describe('CSV', () => {
  it('has a header of the paths of its columns, and a row a record', async () => {
    const text = 'long '.repeat(200);
    const record = { _id: 'f-1', name: text, tags: ['a', 'b'], created: 1700000000000 };
    expect(await printed([...list, '-o', 'csv'], JSON.stringify([record]))).toBe(
      `_id,name,language,country,tags,asset,created\r\nf-1,"${text}",,,a;b,,2023-11-14T22:13:20.000Z\r\n`,
    );
  });

  it('has one header for all pages, and its header alone when there is nothing', async () => {
    const pages = ['[{"_id":"f-1"}]', '[{"_id":"f-2"}]', '[]'];
    const argv = [...list, '--all', '--page-size', '1', '-o', 'csv', '--columns', '_id'];
    expect(await printed(argv, ...pages)).toBe('_id\r\nf-1\r\nf-2\r\n');
    expect(await printed(argv, '[]')).toBe('_id\r\n');
  });

  it('is a header and one row for a single record, with the columns of the list', async () => {
    const record = '{"_id":"a-1","name":"x","type":"trailer"}';
    const one = await printed([...get, '-o', 'csv'], record);
    expect(one).toBe('_id,name,type,usage,workflow.phase,created\r\na-1,x,trailer,,,\r\n');
    const two = await printed([...get, 'a-2', '-o', 'csv'], record);
    expect(two.startsWith(one)).toBe(true);
  });

  it("puts a ' before a formula, but not with --csv-raw", async () => {
    const argv = [...list, '-o', 'csv', '--columns', 'name,n'];
    const record = '[{"name":"=1+1","n":-5}]';
    expect(await printed(argv, record)).toBe("name,n\r\n'=1+1,-5\r\n");
    expect(await printed([...argv, '--csv-raw'], record)).toBe('name,n\r\n=1+1,-5\r\n');
  });

  it('of unknown records has every field of the first page, and of bare values one column', async () => {
    const pages = ['[{"a":{"b":1},"t":[1,2]},{"c":true}]', '[{"a":{"b":2},"new":1}]', '[]'];
    const argv = ['api', 'GET', '/x', '--all', '--page-size', '2', '-o', 'csv'];
    expect(await printed(argv, ...pages)).toBe('a.b,t,c\r\n1,"[1,2]",\r\n,,true\r\n2,,\r\n');
    expect(await printed(['api', 'GET', '/x', '-o', 'csv'], '[1,"b"]')).toBe('value\r\n1\r\nb\r\n');
  });
});

describe('YAML', () => {
  it('is a sequence of whole records, and an empty one when there is nothing', async () => {
    const page = '[{"_id":"f-1","big":9007199254740993,"2":1.0,"1":"NO"},{"_id":"f-2"}]';
    expect(await printed([...list, '-o', 'yaml'], page)).toBe(
      '- _id: f-1\n  big: 9007199254740993\n  "2": 1.0\n  "1": "NO"\n- _id: f-2\n',
    );
    expect(await printed([...list, '-o', 'yaml'], '[]')).toBe('[]\n');
  });
});

describe('--columns', () => {
  const made = 1700000000000;
  const record = JSON.stringify({
    ...{ _id: 'wr-1', status: 'rejected', created: made, due: { date: made } },
    ...{ estimate: { base: made }, usage: { online: true, dcp: false } },
  });
  const iso = '2023-11-14T22:13:20.000Z';
  const columns = 'due.date,created,estimate.base';
  const paths = ['--columns', columns];

  it.each([
    ['one record', ['wr-1'], `due.date\t${iso}\ncreated\t${iso}\nestimate.base\t${made}\n`],
    ['several', ['wr-1', 'wr-1'], `${iso}\t${iso}\t${made}\n`.repeat(2)],
    ['one as CSV', ['wr-1', '-o', 'csv'], `${columns}\r\n${iso},${iso},${made}\r\n`],
  ])('has times in ISO 8601, whether its view has them or not, of %s', async (_, argv, text) => {
    expect(await printed(['wr', 'get', ...argv, ...paths], record)).toBe(text);
  });

  it('is not needed for times in ISO 8601, of a record or of any list', async () => {
    const rows = `_id\twr-1\nstatus\trejected\ncreated\t${iso}\ndue.date\t${iso}\nestimate.base\t${made}\n`;
    expect(await printed(['wr', 'get', 'wr-1'], record)).toContain(rows);
    const api = ['api', 'GET', '/workrequests/wr-1', '-o'];
    expect(await printed([...api, 'tsv'], record)).toContain(rows);
    for (const body of [record, `[${record}]`]) {
      expect(await printed([...api, 'csv'], body)).toMatch(
        `\r\nwr-1,rejected,${iso},${iso},${made},true,false\r\n`,
      );
    }
    const columns = ['--columns', 'created,due.date,estimate.base'];
    const list = ['api', 'GET', '/workrequests', '-o', 'tsv', ...columns];
    expect(await printed(list, `[${record}]`)).toBe(`${iso}\t${iso}\t${made}\n`);
  });

  it('has them as dates on a terminal, of one record and of several', async () => {
    const { env } = await recordingServer(record);
    const terminal = { env: { ...env, NO_COLOR: '1' }, columns: 120 };
    const card = await mar(['wr', 'get', 'wr-1', ...paths], terminal);
    expect(card.stdout).toMatch(/^due.date +2023-11-14 22:13 UTC \(overdue \d+ y\)\ncreated +2023/);
    const table = await mar(['wr', 'get', 'wr-1', 'wr-1', ...paths], terminal);
    expect(table.stdout).toMatch(
      /\n2023-11-14 22:13 UTC \(overdue \d+ y\) +2023-11-14 22:13 UTC \(\d+ y ago\) +1700000000000\n/,
    );
  });

  it('has lists whole for programs, and counted on a terminal', async () => {
    const lists = '{"_id":"a-1","a":[{"x":1},{"y":[true]}],"b":[true,null,"c"]}';
    const argv = [...get, '--columns', 'a,b'];
    expect(await printed(argv, lists)).toBe('a\t[{"x":1},{"y":[true]}]\nb\t[true,null,"c"]\n');
    const run = await marWith(lists, [...argv, '--no-color'], { columns: 80 });
    expect(run.stdout).toBe('a  2 items\nb  yes, c\n');
  });

  it('prints nothing on a terminal where nothing was found', async () => {
    const run = await marWith(record, [...get, '--columns', 'slug'], { columns: 80 });
    expect(run).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('every form', () => {
  const commands = [
    ['whoami'],
    ['config', 'list'],
    ['config', 'get', 'output'],
    ['api', 'GET', '/x'],
    ['wr', 'create', '--skip-checks', '--set', 'language=fra'],
  ];

  it.each(formats.flatMap((format) => commands.map((argv) => [format, argv] as const)))(
    'does something with %s: mar %j',
    async (format, argv) => {
      const { env } = await recordingServer('{"_id":"x-1","name":"n"}');
      const config = { MAR_CONFIG_DIR: temporaryFolder() };
      const run = await mar([...argv, '-o', format], { env: { ...env, ...config } });
      expect(run.code).toBe(0);
      expect(run.stderr).toMatch(new RegExp(`^(${outputWords.writingTo}.*\n)?$`));
      expect(run.stdout).toMatch(format === 'xlsx' ? /^PK/ : /\n$/);
    },
  );

  it.each([
    ['yaml', 'key: pager\nvalue: less\n'],
    ['csv', 'key,value\r\npager,less\r\n'],
    ['tsv', 'pager is now less\n'],
  ])('has a place for what the program itself prints: %s', async (format, expected) => {
    const env = { MAR_CONFIG_DIR: temporaryFolder() };
    const run = await mar(['config', 'set', 'pager', 'less', '-o', format], { env });
    expect(run).toEqual({ code: 0, stdout: expected, stderr: '' });
  });

  it('can be set once', async () => {
    const { env } = await recordingServer('[{"_id":"f-1"}]');
    const all = { ...env, MAR_CONFIG_DIR: temporaryFolder() };
    await mar(['config', 'set', 'output', 'yaml'], { env: all });
    expect(await mar(list, { env: all })).toMatchObject({ code: 0, stdout: '- _id: f-1\n' });
    expect(await mar([...list, '--jq', '._id'], { env: all })).toMatchObject({ stdout: 'f-1\n' });
    const picked = await mar([...list, '--columns', '_id,name'], { env: all });
    expect(picked).toMatchObject({ code: 0, stdout: '- _id: f-1\n  name: null\n' });
  });

  it('that is set or unset applies from the next command on', async () => {
    const env = { MAR_CONFIG_DIR: temporaryFolder() };
    const set = await mar(['config', 'set', 'output', 'json'], { env });
    expect(set.stdout).toBe('output is now json\n');
    const unset = await mar(['config', 'unset', 'output'], { env });
    expect(unset.stdout).toBe('{"key":"output","value":""}\n');
  });
});
