import { describe, expect, it } from 'vitest';
import { mar } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';
import { writeService } from '../harness/writeService.ts';

const request = '{"_id":"wr-1","asset":{"_id":"a-1","name":"Film"},"language":"fra","urls":{}}';
const records = {
  '/assets/a-1': '{"_id":"a-1","name":"Film"}',
  '/assets/a%2F1': '{"_id":"a/1","name":"Slash"}',
  '/workrequests/wr-1': request,
  '/workrequests/wr-2': '{"_id":"wr-2","status":"done"}',
  '/notifications/n-1': '{"_id":"n-1"}',
};

async function service() {
  const { env, paths } = await recordService(records);
  const host = new URL(env.MAR_BASE_URL ?? '').host;
  return { env, paths, host };
}

const page = 'https://desk.media.example/work-requests/wr-1';

describe('an id', () => {
  it.each([
    [' wr-1\t', 'spaces around it'],
    [page, 'the address of its page'],
    [`${page}/`, 'a slash at its end'],
    [`${page}/manage?tab=2#top`, 'another page, with a query'],
    [`${page}/translate/c0de`, 'a page with a code'],
    ['https://desk.media.example/#/work-requests/wr-1', 'a path behind #'],
    ['https://desk.media.example/projects/p-1/workrequests/wr-1/edit', 'a path with other ids'],
    ['https://desk.media.example/w/wr-1/manage', 'a collection that is not known'],
    ['HTTPS://DESK.media.example/WorkRequests/wr-1', 'upper case'],
    ['//HOST/api/workrequests/wr-1', 'a value of $links'],
    ['http://HOST/api/workrequests/wr-1', 'a value of $links with its scheme'],
  ])('may be %j: %s', async (id) => {
    const { env, paths, host } = await service();
    const run = await mar(['wr', 'get', id.replace('HOST', host), '--jq', '._id'], { env });
    expect(run).toEqual({ code: 0, stdout: 'wr-1\n', stderr: '' });
    expect(paths).toEqual(['/workrequests/wr-1']);
  });

  it('may have a slash, which an address encodes', async () => {
    const { env, host } = await service();
    const run = await mar(['asset', 'get', `//${host}/api/assets/a%2F1`, '--jq', '.name'], { env });
    expect(run.stdout).toBe('Slash\n');
  });

  it('of several, and from standard input, may be an address', async () => {
    const { env } = await service();
    const stdin = `${page}\n //media.example/api/workrequests/wr-2 \n`;
    const run = await mar(['wr', 'get', page, '-', '--jq', '._id'], { env, stdin });
    expect(run).toMatchObject({ code: 0, stdout: 'wr-1\nwr-1\nwr-2\n' });
  });

  it('of another kind of record is refused, and nothing is sent', async () => {
    const { env, paths, host } = await service();
    for (const address of [page, `//${host}/api/workrequests/wr-1`, `//${host}/api/projects/p-1`]) {
      const run = await mar(['asset', 'get', address], { env });
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toMatch(/another kind of record: (?:work request|projects), not asset/);
    }
    const fromInput = await mar(['asset', 'get', '-'], { env, stdin: page });
    expect(fromInput).toMatchObject({ code: 2, stdout: '' });
    expect(paths).toEqual([]);
  });

  it('in the address of another service gets a warning', async () => {
    const { env } = await service();
    const run = await mar(['asset', 'get', '//media.example/api/assets/a-1', '--jq', '._id'], {
      env,
    });
    expect(run).toMatchObject({ code: 0, stdout: 'a-1\n' });
    expect(JSON.parse(run.stderr).warning.message).toContain('media.example');
  });

  it.each(['https://', 'https://desk.media.example', 'http://%zz/', '//'])(
    'that is missing in %j is an error',
    async (address) => {
      const { env, paths } = await service();
      expect(await mar(['wr', 'get', address], { env })).toMatchObject({ code: 2, stdout: '' });
      expect(paths).toEqual([]);
    },
  );
});

describe('every command that takes ids takes addresses', () => {
  it.each([
    ['asset', 'get', '//h.example/api/assets/a-1'],
    ['asset', 'workflow', '--work-request', page],
    ['wr', 'history', page],
    ['wr', 'wait', '//h.example/api/workrequests/wr-2', '--status', 'done'],
    ['wr', 'open', page, '--print'],
    ['translation', 'export', page],
    ['translation', 'check', page],
    ['translation', 'diff', page, page],
    ['notification', 'show', '//h.example/api/notifications/n-1'],
    ['wr', 'create', '--like', page, '--dry-run'],
    ['event', 'put', '--type', 'wam', '--work-request', page, '--dry-run'],
    ['asset', 'put', '//h.example/api/assets/a-1', '--set', 'name=x', '--dry-run'],
  ])('mar %s %s', async (...argv) => {
    const { env, paths } = await service();
    await mar(argv, { env });
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(Object.keys(records)).toContain(path);
  });

  it('in flags that become fields too', async () => {
    const service = await writeService(() => ({}));
    const flags = ['--work-request', page, '--asset', ' a-1 ', '--language', 'fra'];
    await mar(['translation', 'submit', ...flags], service);
    const meta = [
      '--asset',
      '//h.example/api/assets/a-1',
      '--project',
      '//h.example/api/projects/p-1',
    ];
    await mar(['file', 'upload-meta', '--set', 'name=x', ...meta], service);
    expect(service.received).toMatchObject([
      { workRequest: 'wr-1', asset: 'a-1', language: 'fra' },
      { asset: 'a-1', project: 'p-1' },
    ]);
  });

  it('but a file of subtitles stays a file', async () => {
    const { env, paths } = await service();
    const run = await mar(['translation', 'check', '//nonexistent/a.srt'], { env });
    expect(run.stderr).toContain('cannot read //nonexistent/a.srt');
    expect(paths).toEqual([]);
  });
});
