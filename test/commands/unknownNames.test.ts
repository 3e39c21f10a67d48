import { describe, expect, it } from 'vitest';
import { batchOf } from '../batch/harness.ts';
import { assetService } from '../harness/assetService.ts';
import { mar } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';
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
  ])('%j %s is sent with a warning, and refused by --strict', async (argv, stdin, path, meant) => {
    const sent = await run(argv, stdin);
    expect(sent.code, sent.stderr).toBe(0);
    const warning = `warning: unknown field "${path}", kept in the record (did you mean "${meant}"?)\n`;
    expect(sent.stderr).toContain(warning);
    expect(sent.stderr.split('unknown field')).toHaveLength(2);
    const strict = await run([...argv, '--strict'], stdin);
    expect(strict).toMatchObject({ code: 2, stdout: '', requests: [] });
    expect(strict.stderr).toContain(`error: unknown field "${path}" (did you mean "${meant}"?)\n`);
  });

  it('without a close name has no suggestion, and any name is fine where nothing is documented', async () => {
    const { stderr } = await run(['wr', 'create', '--set', 'zebra=1', '--set', 'tags=[{"a":1}]']);
    expect(stderr).toContain('warning: unknown field "zebra", kept in the record\n');
    expect(stderr.split('unknown')).toHaveLength(2);
  });

  it('that the asset already has is not unknown', async () => {
    const service = await assetService(
      '{"_id":"a-1","name":"One","workflow":{"phase":"WIP"},"custom":1}',
    );
    const known = ['asset', 'put', 'a-1', '--set', 'custom=2', '--set', 'workflow.phase=LOCK'];
    expect((await mar(known, service)).stderr).not.toContain('unknown');
    const stdin = service.text.replace('One', 'Two').replace('}}', '}}');
    expect((await mar(['asset', 'put', '-f', '-'], { ...service, stdin })).stderr).not.toContain(
      'unknown',
    );
    const typo = ['asset', 'put', 'a-1', '--set', 'nmae=x'];
    expect((await mar([...typo, '--strict'], service)).code).toBe(2);
    expect(service.text).not.toContain('nmae');
    expect((await mar(typo, service)).stderr).toContain(
      'unknown field "nmae", kept in the record (did you mean "name"?)',
    );
  });

  it('of a batch is reported once', async () => {
    const service = await writeService();
    const rows = '{"langauge":"fra"}\n{"langauge":"deu"}\n';
    const { code, stderr } = await batchOf(service, rows).run();
    expect(code).toBe(0);
    expect(stderr.split('unknown field "langauge"')).toHaveLength(2);
    const strict = await batchOf(service, rows).run(['--strict']);
    expect(strict.code).toBe(2);
    expect(strict.stderr).toContain(
      'row 2 (line 2): unknown field "langauge" (did you mean "language"?)',
    );
    expect(service.received).toHaveLength(2);
  });

  it('in a column of a table is reported once, by the column', async () => {
    const service = await writeService();
    const rows = 'language,instuctions\nfra,x\ndeu,y\n';
    const { stderr } = await batchOf(service, rows, 'rows.csv').run();
    expect(stderr).toContain(
      'warning: unknown column "instuctions", sent as a string (did you mean "instructions"?)\n',
    );
    expect(stderr.split('unknown')).toHaveLength(2);
    const strict = await batchOf(service, rows, 'rows.csv').run(['--strict']);
    expect(strict.code).toBe(2);
    expect(strict.stderr).toContain(
      'error: unknown column "instuctions" (did you mean "instructions"?)\n',
    );
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
    expect(stderr).toContain('warning: unknown column "creatd" (did you mean "created"?)\n');
    expect(stderr).toContain('error: no record has the column "creatd"\n');
    const title = await downloads('whne');
    expect(title.stderr).toContain('warning: unknown column "whne" (did you mean "WHEN"?)\n');
    const one = await run(['wr', 'get', 'wr-1', '--columns', 'nope'], undefined, '{"_id":"wr-1"}');
    expect(one).toMatchObject({ code: 2, stdout: '' });
  });

  it('that one record has is printed, after a warning', async () => {
    const { code, stdout, stderr } = await downloads('_id,extra');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'd-1\t\nd-2\there\n' });
    expect(stderr).toContain('warning: unknown column "extra"\n');
    expect(
      (await run(['downloads', 'list', '--columns', 'extra', '--strict'], undefined, list)).code,
    ).toBe(2);
  });

  it('that is documented may be empty in every record', async () => {
    const { code, stdout } = await run(
      ['wr', 'get', 'x', '--columns', '_id,reason'],
      undefined,
      '{"_id":"x"}',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '_id\tx\nreason\t\n' });
  });

  it('of a write is checked before anything is sent, and never fails after it', async () => {
    const create = ['wr', 'create', '--language', 'fra', '--columns', '_id,nope'];
    const sent = await run(create);
    expect(sent).toMatchObject({ code: 0, stdout: '_id\tx\nnope\t\n' });
    expect(sent.stderr).toContain('warning: unknown column "nope"\n');
    const strict = await run([...create, '--strict']);
    expect(strict).toMatchObject({ code: 2, requests: [] });
  });
});
