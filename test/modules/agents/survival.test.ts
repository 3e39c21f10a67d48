import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentAt, startAgent, withBothClients } from '../../harness/agent.ts';
import { type FakeResponse, fakeService } from '../../harness/fakeService.ts';
import { filesBelow, temporaryFolder } from '../../harness/mar.ts';

withBothClients(() => {
  const order = { asset: 'a-1', language: 'fra', use: ['online'], due: '+14d' };

  /** A service that holds writes back until `release` gets the response. */
  async function slowWrites(...flags: string[]) {
    const events = new EventEmitter();
    const respond = async ({ method }: { method: string }) => {
      if (method === 'GET') return '{"_id":"a-1","name":"Trailer"}';
      setImmediate(() => events.emit('write'));
      const [response] = (await once(events, 'release')) as [FakeResponse];
      return response;
    };
    const agent = await agentAt(respond, ['--allow-writes', ...flags]);
    const arrived = once(events, 'write');
    const log = () => {
      const files = filesBelow(agent.env.MAR_STATE_DIR ?? '').filter((file) =>
        file.includes(`${path.sep}log${path.sep}`),
      );
      return files.map((file) => readFileSync(file, 'utf8')).join('');
    };
    const release = (response: FakeResponse) => events.emit('release', response);
    return { ...agent, arrived, release, log };
  }

  it.each([
    ['{"_id":"wr-77"}', 130, 'written (wr-77)', '"as":"done","id":"wr-77"'],
    [422, 3, 'failed', '"as":"refused"'],
    [undefined, 7, 'unknown', '"as":"unknown"'],
    ['never', 7, 'unknown', '"as":"unknown"'],
  ])(
    'a write is finished after standard input is closed, within the time limit: %j',
    async (...row) => {
      const [response, code, words, recorded] = row;
      const flags = response === 'never' ? ['--timeout', '2s'] : [];
      const { client, stdin, arrived, release, ended, log } = await slowWrites(...flags);
      void client.write('create_work_request', order).catch(() => {});
      await arrived;
      stdin.end();
      // The server has noticed it when it no longer reads.
      await once(stdin, 'close');
      if (response !== 'never') release(response);
      const run = await ended;
      expect(run.code).toBe(code);
      expect(run.stderr).toContain(' create_work_request');
      expect(run.stderr).toContain(words);
      expect(log()).toContain(recorded);
    },
  );

  describe('a wait', () => {
    const wait = { ids: ['wr-1'], status: ['complete'], timeout: '1s' };
    const start = async () => {
      const record = '{"_id":"wr-1","status":"in-progress","$statuses":["complete"]}';
      const { env } = await fakeService(() => record);
      return (await startAgent([], env)).client;
    };

    it('that ends in time is no failure', async () => {
      const { isError, report } = await (await start()).call('wait', wait);
      expect(isError).toBe(false);
      expect(report.error).toBeUndefined();
      expect(report.note).toMatch(/ in-progress\b.*\bwait\b/);
    });

    it.each(['51s', '1h', '0s'])('takes no %s', async (timeout) => {
      expect((await (await start()).call('wait', { ...wait, timeout })).isError).toBe(true);
    });
  });

  it.skipIf(process.platform === 'win32')('a pipe does not stop the server', async () => {
    const folder = temporaryFolder();
    const pipes = ['rows.csv', 'a.srt'].map((name) => path.join(folder, name));
    execFileSync('mkfifo', pipes);
    const { env } = await fakeService(() => '{"_id":"a-1"}');
    const { client } = await startAgent(['--allow-writes', '--root', folder], env);
    const calls = [
      ['batch', { kind: 'wr', file: 'rows.csv' }],
      ['batch_status', { file: 'rows.csv' }],
      ['check_subtitles', { sources: ['a.srt'] }],
      ['fix_subtitles', { source: 'a.srt' }],
      ['fix_subtitles', { source: 'a.srt', output: 'rows.srt' }],
    ] as const;
    for (const [tool, fields] of calls) {
      const { isError, content } = await client.call(tool, fields);
      expect(isError, tool).toBe(true);
      expect(JSON.stringify(content)).toContain('regular file');
    }
  });

  const long = 'x'.repeat(100_000);
  const nested = JSON.parse(`${'{"a":['.repeat(200)}"${long}"${']}'.repeat(200)}`);
  it.each<[what: string, record: object, status?: number]>([
    ['a long text', { name: long }],
    ['many texts', { lines: Array(5000).fill('a line') }],
    ['many fields', Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`k ${at}`, at]))],
    ['a long name of a field', { [long]: 1 }],
    ['many objects in each other', { a: nested }],
    ['many hidden characters', { name: '\u200b'.repeat(20_000) }],
    ['an error', { message: long }, 400],
  ])('a result has at most 16,000 characters: %s', async (_what, record, status = 200) => {
    const body = JSON.stringify({ _id: 'a-1', ...record });
    const { env } = await fakeService(() => ({ status, body }));
    const { client } = await startAgent([], env);
    const call = { name: 'get', arguments: { kind: 'asset', ids: ['a-1'] } };
    const { result } = await client.request('tools/call', call);
    const [, text] = (result?.content ?? []) as { text: string }[];
    expect(text?.text.length).toBeLessThanOrEqual(16_000);
    expect(text?.text).toContain('a-1');
  });
});
