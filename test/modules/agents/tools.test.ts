import { describe, expect, it } from 'vitest';
import { startAgent, agentAt as storedAgentAt } from '../../harness/agent.ts';
import { fakeService } from '../../harness/fakeService.ts';
import { temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { writeProfiles } from '../../harness/storedAccount.ts';
import { lookupWords } from '../../words/lookup.ts';

/** Responds with a record for each id, and with an empty list otherwise. */
const recordService = (record: object = {}) =>
  fakeService(({ path: where }) => {
    const [, id] = /^\/(?:assets|workrequests)\/(.+)$/.exec(where) ?? [];
    return id ? JSON.stringify({ _id: decodeURIComponent(id), ...record }) : '[]';
  });

/** The client of an agent at this service. */
async function agentAt(service: ReturnType<typeof fakeService>, ...flags: string[]) {
  return (await startAgent(flags, (await service).env)).client;
}

describe('the tools', () => {
  it('only read, unless writes are allowed', async () => {
    const client = await agentAt(recordService());
    const { result } = await client.request('tools/list');
    const tools = result?.tools as { name: string; annotations: { readOnlyHint: boolean } }[];
    expect(tools.map(({ name }) => name)).toEqual([
      ...['find', 'get', 'today', 'wait', 'downloads', 'files', 'log', 'batch_status'],
      ...['check_subtitles', 'fix_subtitles', 'describe'],
    ]);
    expect(tools.filter(({ annotations }) => !annotations.readOnlyHint)).toEqual([]);
    await expect(client.call('create_work_request', { asset: 'a-1' })).rejects.toThrow('not found');
  });

  it('are described in at most 17 kB, and every field has a description', async () => {
    const client = await agentAt(recordService(), '--allow-writes');
    const { result } = await client.request('tools/list');
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(17_000);
    const tools = result?.tools as { name: string; inputSchema: { properties: object } }[];
    for (const { name, inputSchema } of tools) {
      for (const [field, schema] of Object.entries(inputSchema.properties)) {
        expect(schema.description, `${name}.${field}`).toBeTruthy();
      }
    }
  });

  it('show the chosen fields of records', async () => {
    const client = await agentAt(recordService({ name: 'Trailer', big: { n: 9 } }));
    const fields = { kind: 'asset', ids: ['a-1', 'a-2'], fields: ['big.n'] };
    const { content, report } = await client.call('get', fields);
    expect(report.result).toEqual(['a-1', 'a-2'].map((_id) => ({ _id, big: { n: 9 } })));
    expect(content[0]?.text).toContain(lookupWords.dataAndErrors);
  });

  it('show a documented field that a record lacks as null, and refuse one that does not exist', async () => {
    const client = await agentAt(recordService({ name: 'Trailer' }));
    const get = (...fields: string[]) =>
      client.call('get', { kind: 'asset', ids: ['a-1'], fields });
    expect((await get('slug')).report.result).toEqual({ _id: 'a-1', slug: null });
    const { isError, report } = await get('board');
    expect(isError).toBe(true);
    expect(report.error).toMatchObject({ kind: 'usage', outcome: 'not-sent' });
    expect(report.error?.message).toContain('"board"');
  });

  it('show work requests by their ids, also those that nobody follows', async () => {
    const client = await agentAt(recordService({ status: 'complete' }));
    const { report } = await client.call('today', { ids: ['wr-1'], fields: ['board.group'] });
    expect(report.result).toMatchObject([{ _id: 'wr-1', board: { group: 'finished' } }]);
  });

  it('keep the digits of big numbers in the text', async () => {
    const client = await agentAt(fakeService(() => '{"_id":"a-1","size":9007199254740993}'));
    const { content } = await client.call('get', { kind: 'asset', ids: ['a-1'], fields: ['all'] });
    expect(content[1]?.text).toContain('9007199254740993');
  });

  it('cut long results, and say how to get the rest', async () => {
    const client = await agentAt(recordService({ lines: Array(5000).fill('a line of text') }));
    const ids = ['a-1', 'a-2', 'a-3'];
    const { content, report } = await client.call('get', { kind: 'asset', ids, fields: ['all'] });
    expect(report.cut).toContain('fields');
    expect(content[1]?.text.length).toBeLessThanOrEqual(16_000);
    expect(content[1]?.text).toContain('… 2 more');
  });

  it('return the error of the command', async () => {
    const client = await agentAt(fakeService(() => 404));
    const { isError, report } = await client.call('get', { kind: 'wr', ids: ['wr-9'] });
    expect(isError).toBe(true);
    const message = expect.stringContaining('wr-9');
    expect(report.error).toMatchObject({ kind: 'not-found', message });
  });

  it('describe commands, records and exit codes', async () => {
    const client = await agentAt(recordService());
    const describe = async (topic: string) =>
      JSON.stringify((await client.call('describe', { topic })).report.result);
    expect(await describe('wr create')).toContain('"--asset":"asset id"');
    expect(await describe('wr create')).not.toContain('exitCodes');
    expect(await describe('exit-codes')).toContain('rate-limited');
    expect(await describe('schema asset')).toContain('"importName');
    expect(await describe('wr')).toContain('"due.date | integer');
    expect((await describe('wr')).length).toBeLessThan(3100);
  });

  it('find what is called like a command', async () => {
    const service = fakeService(({ path: where, headers }) => {
      const isFirst = String(headers['x-range']).startsWith('resources=0-');
      return where.startsWith('/files') && isFirst ? '[{"_id":"f-1","name":"help"}]' : '[]';
    });
    const client = await agentAt(service);
    const { report } = await client.call('find', { words: ['help'], kind: 'file' });
    expect(report.result).toMatchObject([{ _id: 'f-1' }]);
  });

  it('check subtitle files, whose mistakes are not failures of the tool', async () => {
    const client = await agentAt(recordService());
    const sources = ['00:00:03', '00:00:00'].map((stop) =>
      temporaryFile(`1\n00:00:01,000 --> ${stop},000\nHello\n`, 'movie.eng.srt'),
    );
    const checked = await client.call('check_subtitles', { sources });
    expect(checked).toMatchObject({ isError: false, report: { error: { kind: 'check' } } });
  });
});

describe('a value', () => {
  it.each(['--force', '-f', '--', '-', '--profile=x', '--json', '--help', '--set=a=b', 'help'])(
    'that looks like a flag is an id: %s',
    async (id) => {
      const paths: string[] = [];
      const service = fakeService(({ path: where }) => {
        paths.push(where);
        return JSON.stringify({ _id: id });
      });
      const client = await agentAt(service);
      await client.call('get', { kind: 'wr', ids: [id] });
      // A single dash reads ids from standard input, which is empty.
      expect(paths).toEqual(id === '-' ? [] : [`/workrequests/${encodeURIComponent(id)}`]);
    },
  );

  it.each([
    ['an instruction', { instructions: '--skip-checks' }, { instructions: '--skip-checks' }],
    ['a field', { set: { reason: '--force' } }, { reason: '--force' }],
    ['a value that names a file', { set: { reason: '@/etc/passwd' } }, { reason: '@/etc/passwd' }],
    ['a tag', { tag: ['-y', '--edit'] }, { tags: ['-y', '--edit'] }],
  ])('is sent as %s', async (_what, fields, body) => {
    const client = await agentAt(recordService(), '--allow-writes');
    const order = { asset: 'a-1', language: 'fra', use: ['online'] };
    const shown = await client.call('create_work_request', { ...order, ...fields });
    expect(shown.report.result).toMatchObject({ new: body });
  });

  it.each([
    ['find', { wrods: ['x'] }],
    ['create_work_request', { unset: ['--force'] }],
    ['create_work_request', { like: '/etc/passwd' }],
    ['create_work_request', { like: 'tokens.json' }],
    ['describe', { topic: '--show-secrets' }],
    ['describe', { topic: 'api /session' }],
    ['check_subtitles', { sources: ['/etc/passwd'] }],
    ['check_subtitles', { sources: ['-'] }],
    ['fix_subtitles', { source: '/etc/hosts' }],
    ['fix_subtitles', { source: 'a.srt', output: '/root/.bashrc' }],
    ['batch', { kind: 'wr', file: '/etc/passwd', check: true }],
    ['batch', { kind: 'wr', file: '/root/.config/mar/tokens.json', check: true }],
    ['batch', { kind: 'undo', file: '--force' }],
    ['batch', { file: 'rows.csv' }],
    ['batch', { kind: 'resolve', file: 'rows.csv', decisions: ['--force'] }],
  ])('is refused by %s: %j', async (tool, fields) => {
    const client = await agentAt(recordService(), '--allow-writes');
    const { isError, content } = await client.call(tool, fields);
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain(lookupWords.invalidFields);
  });

  it.each([
    ['get', { kind: 'wr', ids: ['wr-1'], fields: ['--jq=.'] }],
    ['create_work_request', { set: { 'a=@/etc/passwd': 1 } }],
    ['create_work_request', { set: { '["': ']=@/etc/passwd' } }],
    ['create_work_request', { set: { '--force': 1 } }],
    ['create_work_request', { rows: [{ 'a=@/etc/passwd': 1 }] }],
  ])('is no path of a field for %s: %j', async (tool, fields) => {
    const { client } = await storedAgentAt(() => '{"_id":"wr-1"}', ['--allow-writes']);
    const { isError, report } = await client.call(tool, fields);
    expect(isError).toBe(true);
    expect(report.error).toMatchObject({ kind: 'usage', outcome: 'not-sent' });
  });
});

it('keeps the default profile that it started with', async () => {
  const hosts: string[] = [];
  const folder = temporaryFolder();
  const tokenFile = temporaryFile('s3cret', 'token');
  const profile = async () => {
    const { baseUrl } = await fakeService(({ headers }) => {
      hosts.push(String(headers.host));
      return '{"_id":"a-1"}';
    });
    return { baseUrl, email: 'ines@northlight.example', tokenFile };
  };
  const [one, two] = [await profile(), await profile()];
  writeProfiles(folder, { one, two });
  const { client } = await startAgent([], { MAR_CONFIG_DIR: folder });
  await client.call('get', { kind: 'asset', ids: ['a-1'] });
  writeProfiles(folder, { two, one });
  await client.call('get', { kind: 'asset', ids: ['a-1'] });
  expect(hosts).toEqual(Array(2).fill(new URL(one.baseUrl).host));
});
