import { describe, expect, it } from 'vitest';
import { listsService } from '../../harness/listsService.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { requestWords } from '../../words/requests.ts';
import { greta, prepare, skip } from './eventUsers.ts';

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

  it.each([
    ['berg', / berg: 2 .*\n {2}u-ann {2}Ann Berg .*\n {2}u-anna {2}Anna Berg {2}anna@/],
    ['gretta', `${requestWords.unknownUser('gretta')} ${greta}`],
    ['u-gerta', `${requestWords.unknownUser('u-gerta')} ${greta}`],
    ['ins carvalho', requestWords.didYouMeanUser('Inês Carvalho, u-ines')],
    ['u-namless', requestWords.didYouMeanUser('u-nameless')],
    ['u-nobody', `${requestWords.unknownUser('u-nobody')}\n`],
  ])('refuses %s, who is nobody or several', async (given, problem) => {
    const { notify, written } = await prepare();
    const { code, stderr } = await notify('u-ann', given);
    expect({ code, written: written() }).toEqual({ code: 2, written: [] });
    expect(stderr).toMatch(problem);
    expect(stderr.includes(skip)).toBe(given !== 'berg');
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
    expect({ code, written: written() }).toEqual({ code: 2, written: [] });
    expect(stderr).toMatch(/^error: .* users: .* \(/);
    expect(stderr).toContain(skip);
  });

  it('needs no list for an id that this machine knows, and refuses none without it', async () => {
    const { notify, listings } = await prepare();
    await notify('u-greta');
    expect((await notify('u-ann')).code).toBe(0);
    expect(listings()).toBe(1);
    expect((await notify('u-nobody')).code).toBe(2);
    expect(listings()).toBe(2);
  });

  it('is looked up in the whole list of users, however long it is', async () => {
    const many = Array.from({ length: 1101 }, (_, at) => ({ _id: `u-${at}`, name: `Name ${at}.` }));
    const { env } = await listsService({ '/session': many });
    const argv = ['event', 'put', '--type', 'x', '--notify-user', 'name 1100.', '--dry-run'];
    const { stdout } = await mar([...argv, '--jq', '.request.body.notify.users'], { env });
    expect(stdout).toBe('["u-1100"]\n');
  });
});

describe('notify.users', () => {
  it('of --set and of a file is checked like the flag, but takes only ids', async () => {
    const { put, written } = await prepare();
    const set = await put('--file-id', 'f-1', '--set', 'notify.users[+]=greta');
    expect(set.stderr).toContain(`notify.users: ${requestWords.unknownUser('greta')} ${greta}`);
    const file = temporaryFile('{"notify":{"users":["u-greta","u-nobody"]}}', 'event.json');
    const whole = await put('-f', file);
    expect(whole.stderr).toContain(`notify.users: ${requestWords.unknownUser('u-nobody')}\n`);
    expect([set.code, whole.code, written()]).toEqual([2, 2, []]);
    expect((await put('-f', file, '--skip-checks')).code).toBe(0);
    expect(written()).toHaveLength(1);
  });
});

it.each([
  ['in-progress', [], true],
  ['in-progress', ['--type', 'other'], false],
  ['awaiting-materials', [], false],
])('an event about a work request that is %s, with %j, has a warning: %s', async (...row) => {
  const [status, flags, isWarned] = row;
  const { put, written } = await prepare({ status });
  const { code, stderr } = await put('--work-request', 'wr-1', ...flags);
  expect([code, written().length]).toEqual([0, 1]);
  expect(/^warning: .* wr-1 .*"in-progress"/m.test(stderr)).toBe(isWarned);
  expect(stderr.includes('mar config set event.request-status=no')).toBe(isWarned);
});

it('an event has the type and the status that the service is set to have', async () => {
  const settings = {
    'event-type.wam': 'no',
    'event-type.waiting': 'work-request',
    'event.request-status': 'in-progress',
  };
  const { put, written } = await prepare({ status: 'in-progress', settings });
  expect((await put('--work-request', 'wr-1')).stderr).not.toContain('"in-progress"');
  expect(written()).toMatchObject([{ type: 'waiting' }]);
});
