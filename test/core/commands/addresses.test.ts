import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { failure, refused } from '../../harness/marWith.ts';
import { recordService } from '../../harness/recordService.ts';
import { memoryOf } from '../../harness/storedAccount.ts';
import { writeService } from '../../harness/writeService.ts';
import {
  accountAt,
  desk,
  expectRecordsOf,
  knownHosts,
  page,
  records,
  service,
} from './addressService.ts';

describe('an id', () => {
  it.each([
    [' wr-1\t', 'spaces around it'],
    [page, 'the address of its page'],
    [`${page}/`, 'a slash at its end'],
    [`${page}/manage?tab=2#top`, 'another page, with a query'],
    [`${page}/translate/c0de`, 'a page with a code'],
    [`${desk}/projects/p-1/workrequests/wr-1/edit`, 'a path with other ids'],
    [`${desk}/w/wr-1/manage`, 'a collection that is not known'],
    ['HTTPS://DESK.media.example/WorkRequests/wr-1', 'upper case'],
    ['//HOST/api/workrequests/wr-1', 'a value of $links'],
    ['http://HOST/api/workrequests/wr-1', 'a value of $links with its scheme'],
    ['//HOST/api/workrequests/wr-1#top', 'a place in a page'],
    [`${desk}/w/wr-1#top`, 'a place in a page of the web application'],
  ])('may be %j: %s', async (id) => {
    const { env, paths, host } = await service(...knownHosts);
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
      const stderr = await failure(2, mar(['asset', 'get', address], { env }));
      expect(stderr).toMatch(/: (?:work request|projects), not asset\n/);
    }
    await failure(2, mar(['asset', 'get', '-'], { env, stdin: page }));
    expect(paths).toEqual([]);
  });

  it.each(['//other.example/api/workrequests/wr-1', 'https://other.example/work-requests/wr-1'])(
    'in the address of an unknown host gets a warning that says where it is used: %s',
    async (address) => {
      const { env, host } = await service(...knownHosts);
      const run = await mar(['wr', 'get', address, '--columns', '_id'], { env });
      expect(run).toMatchObject({ code: 0, stdout: '_id\twr-1\n' });
      expect(run.stderr).toMatch(/^warning: .* other\.example, .*\n.* --profile\.\n$/);
      expect(run.stderr).toContain(`wr-1 at ${host}`);
    },
  );

  it.each([
    ...['../..', 'wr-1/../../session', 'a\\..\\b', './wr-1', '//HOST/api/workrequests/..%2F..'],
    ...['//HOST/api/workrequests/%2e%2e%2fsession', '//HOST/api/workrequests/..%5C..'],
    `${desk}/w/..%2F..`,
  ])('that could mean another path is refused: %s', async (id) => {
    const { env, paths, host } = await service();
    const stderr = await failure(2, mar(['wr', 'get', id.replace('HOST', host)], { env }));
    expect(stderr).toContain('error: invalid id "');
    expect(paths).toEqual([]);
  });

  it.each([
    ...['https://', desk, 'http://%zz/', '//', '//media.example/api', '//media.example/api/'],
    ...['//media.example/api/workrequests', '//media.example/api/workrequests/'],
    ...[`${desk}/work-requests/`, `${desk}/projects/p-1/work-requests`, `${desk}/#/work-requests`],
  ])('that is missing in %j is an error', async (address) => {
    await refused(['wr', 'get', address]);
  });
});

describe('a host', () => {
  const copy = ['wr', 'create', '--like', page, '--language', 'deu', '--dry-run'];

  it('is known once a record links to it, and is remembered once', async () => {
    const { env } = await service();
    expect(await mar(copy, { env })).toMatchObject({ code: 2 });
    expect((await mar(['wr', 'get', page], { env })).stderr).toContain('desk.media.example');
    expect((await mar(['wr', 'get', page], { env })).stderr).toBe('');
    expect((await mar(copy, { env })).code).toBe(0);
    const hosts = memoryOf(env).entries('Host');
    expect(hosts.map(({ id }) => id).sort()).toEqual(knownHosts);
    await mar(['wr', 'get', 'wr-1'], { env });
    expect(memoryOf(env).entries('Host')).toEqual(hosts);
  });

  it('stays unknown with a token from the environment, and the error explains what to do', async () => {
    const { env, paths } = await recordService(records);
    await mar(['wr', 'get', 'wr-1'], { env });
    expect(await failure(2, mar(copy, { env }))).toContain(': wr-1\n');
    expect(paths).toEqual(['/workrequests/wr-1']);
    expect((await mar(copy.with(3, 'wr-1'), { env })).code).toBe(0);
  });

  it.each([
    'wr create --like OTHER/work-requests/wr-1 --language deu',
    'wr create --asset OTHER/assets/a-1',
    'asset put OTHER/api/assets/a-1 --set name=x',
    'asset edit OTHER/assets/a-1',
    'translation submit --work-request OTHER/work-requests/wr-1',
    'event put --type wam --work-request OTHER/work-requests/wr-1',
    'file upload-meta --set name=x --project OTHER/api/projects/p-1',
    'offline put OTHER/api/offlines/o-1 -f -',
  ])('that is unknown is refused by mar %s', async (line) => {
    const { env, paths, host } = await service(...knownHosts);
    const argv = line.replace('OTHER', 'https://other.example').split(' ');
    const stderr = await failure(2, mar(argv, { env, stdin: '{}' }));
    expect(stderr).toMatch(
      new RegExp(`^error: https://other.example/\\S+ .* other.example, .* ${host}\n`),
    );
    expect(paths).toEqual([]);
  });
});

describe('every command that takes ids takes addresses', () => {
  it.each([
    'asset get //h.example/api/assets/a-1',
    'wr open PAGE --print',
    'notification show //h.example/api/notifications/n-1',
    'wr create --like PAGE --dry-run',
    'event put --type wam --work-request PAGE --dry-run',
    'asset put //h.example/api/assets/a-1 --set name=x --dry-run',
  ])('mar %s', async (line) => {
    await expectRecordsOf(line);
  });

  it('in flags that become fields too', async () => {
    const service = await writeService(() => ({}));
    const account = { env: await accountAt(service, ...knownHosts) };
    const flags = ['--work-request', page, '--asset', ' a-1 ', '--language', 'fra'];
    await mar(['translation', 'submit', ...flags], account);
    const ids = '--asset //h.example/api/assets/a-1 --project //h.example/api/projects/p-1';
    await mar(['file', 'upload-meta', '--set', 'name=x', ...ids.split(' ')], account);
    expect(service.received).toMatchObject([
      { workRequest: 'wr-1', asset: 'a-1', language: 'fra' },
      { asset: 'a-1', project: 'p-1' },
    ]);
  });
});
