import { describe, expect, it } from 'vitest';
import { assetService } from '../../harness/assetService.ts';
import { mar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';

const { didYouMean, unknownField } = requestWords;

async function run(argv: readonly string[], stdin?: string, response?: string) {
  const id = stdin?.startsWith('{"_id"') ? JSON.parse(stdin)._id : 'x';
  const server = await recordingServer(response ?? JSON.stringify({ _id: id }));
  const outcome = await mar(argv, { env: server.env, stdin });
  return { ...outcome, requests: server.requests };
}

describe('an unknown field of a record', () => {
  it.each([
    ['wr create --set langauge=fra', '', 'langauge', 'language'],
    ['wr create --set LANGUAGE=fra', '', 'LANGUAGE', 'language'],
    ['wr create --set due.dat=1', '', 'due.dat', 'due.date'],
    ['wr create -f -', '{"instuctions":"x"}', 'instuctions', 'instructions'],
    ['wr create -f -', 'materials:\n- nme: x\n- nme: y\n', 'materials[].nme', 'materials[].name'],
    ['preview put -f -', '{"_id":"p","lable":"x"}', 'lable', 'label'],
    ['event put -f - --type fd', '{"_id":"e","fles":[],"files":[]}', 'fles', 'files'],
    ['file upload-meta --set contry=FR', '', 'contry', 'country'],
  ])('%s %s is refused if it is close to a known one', async (line, stdin, path, meant) => {
    const argv = line.split(' ');
    const refused = await run(argv, stdin);
    expect(refused).toMatchObject({ code: 2, stdout: '', requests: [] });
    const problem = `${unknownField} "${path}" ${didYouMean(meant)}`;
    expect(refused.stderr).toContain(`error: ${problem}\n`);
    expect(refused.stderr).toContain('--skip-checks=field');
    const sent = await run([...argv, '--skip-checks'], stdin);
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.stderr).toContain(`warning: ${problem} `);
    expect(sent.stderr.split(unknownField)).toHaveLength(2);
    expect((await run([...argv, '--skip-checks', '--strict'], stdin)).code).toBe(2);
  });

  it('that is close to nothing is sent with a warning; --strict refuses it', async () => {
    const zebra = ['wr', 'create', '--skip-checks', '--set', 'zebra=1', '--set', 'tags=[{"a":1}]'];
    const { stderr } = await run(zebra);
    expect(stderr).toContain(`warning: ${unknownField} "zebra" `);
    expect(stderr.split(unknownField)).toHaveLength(2);
    expect(await run([...zebra, '--strict'])).toMatchObject({ code: 2, requests: [] });
  });

  it('that the asset already has is not unknown', async () => {
    const service = await assetService(
      '{"_id":"a-1","name":"One","workflow":{"phase":"WIP"},"custom":1}',
    );
    const known = ['asset', 'put', 'a-1', '--set', 'custom=2', '--set', 'workflow.phase=LOCK'];
    expect((await mar(known, service)).stderr).not.toContain(unknownField);
    const stdin = service.text.replace('One', 'Two');
    const whole = await mar(['asset', 'put', '-f', '-'], { ...service, stdin });
    expect(whole.stderr).not.toContain(unknownField);
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
    const stderr = await failure(2, downloads('_id,creatd'));
    const problem = `error: ${requestWords.unknownColumn} "creatd" ${didYouMean('created')}`;
    expect(stderr.split('\n')).toEqual([problem, expect.stringContaining('--json'), '']);
    expect((await downloads('whne')).stderr).toContain(`"whne" ${didYouMean('WHEN')}\n`);
    await failure(2, run(['wr', 'get', 'wr-1', '--columns', 'nope'], undefined, '{"_id":"wr-1"}'));
  });

  it('that one record has is printed without a warning, and refused with --strict', async () => {
    const { code, stdout, stderr } = await downloads('_id,extra');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'd-1\t\nd-2\there\n' });
    expect(stderr).not.toContain(requestWords.unknownColumn);
    const one = await run(['wr', 'get', 'x', '--columns', 'extra'], undefined, '{"extra":1}');
    expect(one).toMatchObject({ code: 0, stdout: 'extra\t1\n', stderr: '' });
    expect((await downloads('extra', '--strict')).code).toBe(2);
    // It is documented, so it may be empty in every record.
    const empty = await run(['wr', 'get', 'x', '--columns', '_id,reason']);
    expect(empty).toMatchObject({ code: 0, stdout: '_id\tx\nreason\t\n' });
  });

  it('of a write is checked before anything is sent, and never fails after it', async () => {
    const create = ['wr', 'create', '--skip-checks', '--language', 'fra', '--columns', '_id,nope'];
    const [sent, csv] = [await run(create), await run([...create, '-o', 'csv'])];
    expect(sent).toMatchObject({ code: 0, stdout: '_id\tx\nnope\t\n' });
    expect(csv).toMatchObject({ code: 0, stdout: '_id,nope\r\nx,\r\n' });
    const warning = `warning: ${requestWords.unknownColumn} "nope"\n`;
    for (const one of [sent, csv]) expect(one.stderr).toContain(warning);
    const known = await run(create, undefined, '{"_id":"x","nope":1}');
    expect(known.stderr).not.toContain(requestWords.unknownColumn);
    expect(await run([...create, '--strict'])).toMatchObject({ code: 2, requests: [] });
  });
});
