import { describe, expect, it } from 'vitest';
import { batchOf } from '../batch/harness.ts';
import { assetService } from '../harness/assetService.ts';
import { assetsService } from '../harness/assetsService.ts';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { recordingServer, withAssets } from '../harness/recordingServer.ts';
import { writeService } from '../harness/writeService.ts';

async function run(argv: readonly string[], stdin?: string, response = '{"_id":"x"}') {
  const server = await recordingServer(response);
  const outcome = await mar(argv, { env: server.env, stdin });
  return { ...outcome, requests: server.requests };
}

describe('an unknown field of a record', () => {
  it.each([
    [['wr', 'create', '--set', 'langauge=fra'], '', 'langauge', 'language'],
    [['wr', 'create', '--set', 'LANGUAGE=fra'], '', 'LANGUAGE', 'language'],
    [['wr', 'create', '--set', 'due.dat=1'], '', 'due.dat', 'due.date'],
    [['wr', 'create', '-f', '-'], '{"instuctions":"x"}', 'instuctions', 'instructions'],
    [
      ['wr', 'create', '-f', '-'],
      'materials:\n- nme: x\n- nme: y\n',
      'materials[].nme',
      'materials[].name',
    ],
    [['preview', 'put', '-f', '-'], '{"_id":"p","lable":"x"}', 'lable', 'label'],
    [
      ['event', 'put', '-f', '-', '--type', 'fd'],
      '{"_id":"e","fles":[],"files":[]}',
      'fles',
      'files',
    ],
    [['file', 'upload-meta', '--set', 'contry=FR'], '', 'contry', 'country'],
  ])('%j %s is refused if it is close to a known one', async (argv, stdin, path, meant) => {
    const refused = await run(argv, stdin);
    expect(refused).toMatchObject({ code: 2, stdout: '', requests: [] });
    const problem = `unknown field "${path}" (did you mean "${meant}"?)`;
    expect(refused.stderr).toContain(`error: ${problem}\n`);
    expect(refused.stderr).toContain(
      'Nothing was sent. Correct it, or send it as it is with --skip-checks=',
    );
    const sent = await run([...argv, '--skip-checks'], stdin);
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.stderr).toContain(`warning: ${problem} will be sent\n`);
    expect(sent.stderr.split('unknown field')).toHaveLength(2);
    expect((await run([...argv, '--skip-checks', '--strict'], stdin)).code).toBe(2);
  });

  it('that is close to nothing is sent with a warning; --strict refuses it', async () => {
    const zebra = ['wr', 'create', '--skip-checks', '--set', 'zebra=1', '--set', 'tags=[{"a":1}]'];
    const { stderr } = await run(zebra);
    expect(stderr).toContain('warning: unknown field "zebra" will be sent\n');
    expect(stderr.split('unknown')).toHaveLength(2);
    expect(await run([...zebra, '--strict'])).toMatchObject({ code: 2, requests: [] });
  });

  it('that the asset already has is not unknown', async () => {
    const service = await assetService(
      '{"_id":"a-1","name":"One","workflow":{"phase":"WIP"},"custom":1}',
    );
    const known = ['asset', 'put', 'a-1', '--set', 'custom=2', '--set', 'workflow.phase=LOCK'];
    expect((await mar(known, service)).stderr).not.toContain('unknown');
    const stdin = service.text.replace('One', 'Two');
    const whole = await mar(['asset', 'put', '-f', '-'], { ...service, stdin });
    expect(whole.stderr).not.toContain('unknown');
    const typo = ['asset', 'put', 'a-1', '--set', 'nmae=x'];
    expect(await mar(typo, service)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown field "nmae" (did you mean "name"?)'),
    });
    expect(service.text).not.toContain('nmae');
  });

  it('opens the editor again, with the text and the reason', async () => {
    const script = temporaryFile(
      `const fs = require('node:fs'); const file = process.argv[2];
       const text = fs.readFileSync(file, 'utf8');
       const isAgain = text.includes('unknown field "langauge" (did you mean "language"?)');
       fs.writeFileSync(file, isAgain ? text.replaceAll('langauge:', 'language:') : '{asset: {_id: a-1}, auto: true, langauge: fra}');`,
      'editor.cjs',
    );
    const server = await recordingServer(withAssets('{"_id":"wr-1"}'));
    const own = { MAR_STATE_DIR: temporaryFolder(), EDITOR: `${process.execPath} ${script}` };
    const env = { ...server.env, ...own };
    const { code, stderr } = await mar(['wr', 'create', '--edit'], { env });
    expect(code, stderr).toBe(0);
    expect(server.requests.at(-1)).toContain('"language":"fra"}');
  });

  it.each([
    ['rows.jsonl', '{"language":"fra"}\n{"langauge":"deu"}\n', 'row 2 (line 2): unknown field'],
    ['rows.csv', 'language,langauge\nfra,x\ndeu,y\n', 'error: unknown column'],
  ])('refuses the whole batch of %s before the first row is sent', async (name, rows, problem) => {
    const service = await writeService();
    const refused = await batchOf(service, rows, name).run();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`${problem} "langauge" (did you mean "language"?)`);
    expect(service.received).toEqual([]);
    expect((await batchOf(service, rows, name).run(['--skip-checks'])).code).toBe(0);
    expect(service.received).toHaveLength(2);
  });

  it.each([
    ['rows.csv', '_id,nmae\na-1,Two\n', [], 'unknown column "nmae" (did you mean "name"?)'],
    ['rows.jsonl', '{"_id":"a-1","nmae":"x"}\n', [], 'unknown field "nmae" (did you mean "name"?)'],
    [
      'rows.csv',
      '_id,name\na-1,Two\n',
      ['--set', 'usage.onlnie=true'],
      'did you mean "usage.online"?',
    ],
  ])('refuses a batch of changes before anything is read: %s %j %j', async (...row) => {
    const [name, rows, flags, problem] = row;
    const service = await assetsService([{ _id: 'a-1', name: 'One' }]);
    const argv = ['asset', 'put', '--batch', temporaryFile(rows, name), ...flags];
    const refused = await mar(argv, service);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(problem);
    expect(service.requests).toEqual([]);
  });

  it('in a column is refused, or reported once if it was mapped', async () => {
    const service = await writeService();
    const rows = 'asset,auto,language,zebra\na-1,yes,fra,x\na-1,yes,deu,y\n';
    expect((await batchOf(service, rows, 'rows.csv').run()).code).toBe(2);
    const map = ['--map', 'zebra=zebra'];
    const { stderr } = await batchOf(service, rows, 'rows.csv').run(map);
    expect(stderr).toContain('warning: unknown field "zebra" will be sent as a string\n');
    expect(stderr.split('unknown')).toHaveLength(2);
    expect((await batchOf(service, rows, 'rows.csv').run([...map, '--strict'])).code).toBe(2);
    expect(service.received).toHaveLength(2);
  });
});

describe('--columns', () => {
  const list = JSON.stringify([
    { _id: 'd-1', created: 1_764_612_000_000, asset: { name: 'One' } },
    { _id: 'd-2', created: 1_764_612_000_000, extra: 'here' },
  ]);
  const downloads = (...columns: string[]) =>
    run(['downloads', 'list', '--columns', ...columns], undefined, list);

  it.each(['WHEN', 'When', 'when', 'created'])('takes the header word %s', async (word) => {
    const { code, stdout, stderr } = await downloads(word);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('2025-12-01T18:00:00.000Z\n2025-12-01T18:00:00.000Z\n');
  });

  it('takes a field before a header word that looks like it', async () => {
    const record = '{"_id":"wr-1","due":{"date":1,"tz":"UTC"}}';
    const { stdout } = await run(['wr', 'get', 'wr-1', '--columns', 'due'], undefined, record);
    expect(stdout).toBe('due\t{"date":1,"tz":"UTC"}\n');
  });

  it('that no record has is an error with the closest name, and nothing is printed', async () => {
    const { code, stdout, stderr } = await downloads('_id,creatd');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'error: unknown column "creatd" (did you mean "created"?)\n' +
        '  No record has this field. To see all fields, use --json.\n',
    );
    const title = await downloads('whne');
    expect(title.stderr).toContain('error: unknown column "whne" (did you mean "WHEN"?)\n');
    const one = await run(['wr', 'get', 'wr-1', '--columns', 'nope'], undefined, '{"_id":"wr-1"}');
    expect(one).toMatchObject({ code: 2, stdout: '' });
  });

  it('that one record has is printed without a warning, and refused with --strict', async () => {
    const { code, stdout, stderr } = await downloads('_id,extra');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'd-1\t\nd-2\there\n' });
    expect(stderr).not.toContain('unknown column');
    const one = await run(['wr', 'get', 'x', '--columns', 'extra'], undefined, '{"extra":1}');
    expect(one).toMatchObject({ code: 0, stdout: 'extra\t1\n', stderr: '' });
    expect((await downloads('extra', '--strict')).code).toBe(2);
  });

  it('that is documented may be empty in every record', async () => {
    const argv = ['wr', 'get', 'x', '--columns', '_id,reason'];
    expect(await run(argv)).toMatchObject({ code: 0, stdout: '_id\tx\nreason\t\n' });
  });

  it('of a write is checked before anything is sent, and never fails after it', async () => {
    const create = ['wr', 'create', '--skip-checks', '--language', 'fra', '--columns', '_id,nope'];
    const sent = await run(create);
    expect(sent).toMatchObject({ code: 0, stdout: '_id\tx\nnope\t\n' });
    expect(sent.stderr).toContain('warning: unknown column "nope"\n');
    const csv = await run([...create, '-o', 'csv']);
    expect(csv).toMatchObject({ code: 0, stdout: '_id,nope\r\nx,\r\n' });
    expect(csv.stderr).toContain('warning: unknown column "nope"\n');
    const known = await run(create, undefined, '{"_id":"x","nope":1}');
    expect(known.stderr).not.toContain('unknown column');
    const strict = await run([...create, '--strict']);
    expect(strict).toMatchObject({ code: 2, requests: [] });
  });
});
