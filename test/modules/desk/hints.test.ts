import { describe, expect, it } from 'vitest';
import { home, loggedIn, session } from '../../harness/home.ts';
import { marWith } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

/* What other commands say about those that find records. */

describe('a hint', () => {
  it.each([
    ['--profile', ['--profile', 'staging'], {}],
    ['--profile=', ['--profile=staging'], {}],
    ['MAR_PROFILE', [], { MAR_PROFILE: 'staging' }],
  ])('names the profile of %s', async (_way, flags, variables) => {
    const { run, login } = await loggedIn();
    await login(await recordingServer(session('t-2')), '--profile', 'staging');
    const { stderr } = await run(['wr', 'list', ...flags], variables);
    expect(stderr).toContain('run: mar today --profile staging\n');
  });

  it('has names in capitals, which are no words to replace', async () => {
    const server = await recordingServer(session('t-1'), { status: 404, body: '{}' });
    const { login, run } = home();
    await login(server, '--profile', 'PROD');
    const { stderr } = await run(['asset', 'get', 'HARBOR', '--json', '--profile', 'PROD']);
    const { next, hint } = JSON.parse(stderr).error;
    expect(next).toEqual([['mar', 'find', 'HARBOR', '--profile', 'PROD']]);
    expect(hint).toContain(next[0].join(' '));
  });

  it('is printed once, at the end, if several failures share it', async () => {
    const busy = { status: 503, body: '{}' };
    const get = ['wr', 'get', 'wr-1', 'wr-2', 'wr-3', '--retries', '0'];
    const { stderr } = await marWith([busy], get);
    expect(stderr.match(/wr-[123]/g)).toHaveLength(3);
    expect(stderr.match(/^ {2}Try again/gm)).toHaveLength(1);
    expect(stderr).toMatch(/ {2}Try again.*\n$/);
  });

  it('stands behind all of several failures, before their request ids', async () => {
    const missing = (id: string) => ({ status: 404, headers: [`X-Request-Id: r-${id}`], body: '' });
    const run = await marWith([missing('1'), missing('2')], ['wr', 'get', 'one', 'two']);
    expect(run.stderr).toMatch(/^error: .*one.*\n.*two.*\n.*find one\n.*find two\n.*request id/);
  });
});
