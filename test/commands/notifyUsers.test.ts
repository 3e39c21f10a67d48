import { describe, expect, it } from 'vitest';
import { listsService } from '../harness/listsService.ts';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { storedAccount } from '../harness/storedAccount.ts';
import { writeService } from '../harness/writeService.ts';

const users = [
  { _id: 'u-greta', name: 'Greta Vogel', emailNormal: 'greta@untertitel.example' },
  { _id: 'u-ines', name: 'Inês Carvalho', username: 'INES@northlight.example' },
  { _id: 'u-ann', name: 'Ann Berg', emailNormal: 'ann@northlight.example' },
  { _id: 'u-anna', name: 'Anna Berg', emailNormal: 'anna@northlight.example' },
  { _id: 'u-nameless', emailNormal: 'new@northlight.example' },
];

/** A service with users and a work request. `listing` is the response to the list of users. */
async function prepare({ listing = {}, status = 'awaiting-materials' } = {}) {
  const list = { body: JSON.stringify(users), headers: { 'X-Total-Count': String(users.length) } };
  const service = await writeService((_, __, path) => {
    if (path === 'GET /api/session') return { ...list, ...listing };
    if (!path.startsWith('GET ')) return {};
    return { body: JSON.stringify({ _id: 'wr-1', status }) };
  });
  const env = storedAccount(temporaryFolder(), service.baseUrl);
  return {
    ...service,
    put: (...argv: string[]) => mar(['event', 'put', ...argv], { env }),
    notify: (...given: string[]) =>
      mar(['event', 'put', '--type', 'x', ...given.flatMap((one) => ['--notify-user', one])], {
        env,
      }),
    env,
    written: () => service.received.filter((_, at) => service.paths[at] === 'PUT /api/events'),
    listings: () => service.paths.filter((path) => path === 'GET /api/session').length,
  };
}

describe('--notify-user', () => {
  it.each([
    ['u-greta', 'u-greta'],
    ['GRETA@untertitel.example', 'u-greta'],
    ['ines@northlight.example', 'u-ines'],
    ['Greta Vogel', 'u-greta'],
    ['INÊS carvalho', 'u-ines'],
    ['ann berg', 'u-ann'],
    ['new@northlight.example', 'u-nameless'],
  ])('%s sends the id %s', async (given, id) => {
    const { notify, written } = await prepare();
    expect((await notify(given)).code).toBe(0);
    expect(written()).toMatchObject([{ notify: { users: [id] } }]);
  });

  it('prints who a name or an e-mail is, and sends one person once', async () => {
    const { notify, written } = await prepare();
    const { stderr } = await notify('greta vogel', 'greta@untertitel.example', 'u-greta');
    expect(stderr).toContain('--notify-user greta vogel: Greta Vogel, u-greta\n');
    expect(written()).toMatchObject([{ notify: { users: ['u-greta'] } }]);
  });

  it('refuses a name that several users have, and lists them', async () => {
    const { notify, written } = await prepare();
    const { code, stderr } = await notify('berg');
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        'error: --notify-user berg: 2 users match',
        '  u-ann   Ann Berg   ann@northlight.example',
        '  u-anna  Anna Berg  anna@northlight.example',
        '  Nothing was sent. Use the id of one of them.',
        '',
      ].join('\n'),
    );
    expect(written()).toEqual([]);
  });

  it.each([
    ['gretta', ' (did you mean Greta Vogel, u-greta?)'],
    ['u-gerta', ' (did you mean Greta Vogel, u-greta?)'],
    ['ins carvalho', ' (did you mean Inês Carvalho, u-ines?)'],
    ['u-namless', ' (did you mean u-nameless?)'],
    ['u-nobody', ''],
  ])('refuses %s, whom the service does not have', async (given, suggestion) => {
    const { notify, written } = await prepare();
    const { code, stderr } = await notify('u-ann', given);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: --notify-user: unknown user "${given}"${suggestion}\n`);
    expect(stderr).toContain(
      'Nothing was sent. Correct it, or send it as it is with --skip-checks=user.\n',
    );
    expect(written()).toEqual([]);
  });

  it('is sent as given with --skip-checks, and the users are not listed', async () => {
    const { put, written, listings } = await prepare();
    const argv = ['--type', 'x', '--notify-user', 'greta', '--skip-checks'];
    expect((await put(...argv)).code).toBe(0);
    expect(written()).toMatchObject([{ notify: { users: ['greta'] } }]);
    expect(listings()).toBe(0);
  });

  it.each([403, 404])('is refused if the list of users responds with %d', async (status) => {
    const { notify, written } = await prepare({ listing: { status } });
    const { code, stderr } = await notify('u-greta');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot check the users: the service does not list them \(/);
    expect(stderr).toContain(
      'Nothing was sent. Correct it, or send it as it is with --skip-checks=user.\n',
    );
    expect(written()).toEqual([]);
  });

  it('needs no list for an id that this machine knows, and refuses none without it', async () => {
    const { notify, listings } = await prepare();
    await notify('u-greta');
    expect((await notify('u-ann')).code).toBe(0);
    expect(listings()).toBe(1);
    expect((await notify('u-nobody')).code).toBe(2);
    expect(listings()).toBe(2);
  });
});

it('--notify-user is looked up in the whole list of users, however long it is', async () => {
  const many = Array.from({ length: 1101 }, (_, at) => ({ _id: `u-${at}`, name: `Name ${at}.` }));
  const { env } = await listsService({ '/session': many });
  const argv = [
    'event',
    'put',
    '--type',
    'x',
    '--notify-user',
    'name 1100.',
    '--dry-run',
    '--json',
  ];
  const { stdout } = await mar(argv, { env });
  expect(JSON.parse(stdout).request.body.notify.users).toEqual(['u-1100']);
});

describe('notify.users', () => {
  it('of --set and of a file is checked like the flag, but takes only ids', async () => {
    const { put, written } = await prepare();
    const set = await put('--file-id', 'f-1', '--set', 'notify.users[+]=greta');
    expect(set.code).toBe(2);
    expect(set.stderr).toContain(
      'error: notify.users: unknown user "greta" (did you mean Greta Vogel, u-greta?)\n',
    );
    const file = temporaryFile('{"notify":{"users":["u-greta","u-nobody"]}}', 'event.json');
    const whole = await put('-f', file);
    expect(whole.code).toBe(2);
    expect(whole.stderr).toContain('error: notify.users: unknown user "u-nobody"\n');
    expect(written()).toEqual([]);
    expect((await put('-f', file, '--skip-checks')).code).toBe(0);
    expect(written()).toHaveLength(1);
  });

  const rows = ['u-greta', 'u-gerta', 'u-ines', 'u-ann;u-x']
    .map((user, row) => `e-${row + 1},${user}\n`)
    .join('');
  const table = `_id,notify.users\n${rows}`;

  it('of the rows of a batch is checked with one list, and rows with an unknown user are invalid', async () => {
    const { put, written, listings } = await prepare();
    const file = temporaryFile(table, 'events.csv');
    const { code, stderr } = await put('--batch', file);
    expect(code).toBe(2);
    expect(stderr.split('\n').slice(1, 3)).toEqual([
      '  row 2 (line 3): notify.users: unknown user "u-gerta" (did you mean Greta Vogel, u-greta?)',
      '  row 4 (line 5): notify.users: unknown user "u-x"',
    ]);
    expect(written()).toEqual([]);
    expect(listings()).toBe(1);
    expect((await put('--batch', file, '--check')).code).toBe(8);
    expect((await put('--batch', file, '--skip-checks')).code).toBe(0);
    expect(written()).toHaveLength(4);
  });

  it('of a batch is refused as a whole if the users cannot be listed', async () => {
    const { put, written } = await prepare({ listing: { status: 403 } });
    const file = temporaryFile(table, 'events.csv');
    const { code, stderr } = await put('--batch', file, '--skip-invalid');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot check the users: the service does not list them \(/);
    expect(written()).toEqual([]);
  });
});

describe('an event of type wam', () => {
  it('warns if the work request does not await materials', async () => {
    const { put, written } = await prepare({ status: 'in-progress' });
    const { code, stderr } = await put('--work-request', 'wr-1');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'warning: the event says that work request wr-1 awaits materials (type wam, by our reading), but its status is "in-progress"\n',
    );
    expect(written()).toHaveLength(1);
    const other = await put('--work-request', 'wr-1', '--type', 'other');
    expect(other.stderr).not.toContain('in-progress');
    const awaiting = await (await prepare()).put('--work-request', 'wr-1');
    expect(awaiting.stderr).not.toContain('warning: the event says');
  });
});
