import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../src/values/commandLine.ts';
import { mar } from '../harness/mar.ts';
import { account, recordingServer } from '../harness/recordingServer.ts';

async function nextOf(argv: readonly string[], env?: Record<string, string>) {
  const { stderr } = await mar(['--json', ...argv], { env });
  return JSON.parse(stderr).error.next;
}

describe('the commands that a hint names', () => {
  it('are lists of words in a JSON error', async () => {
    expect(await nextOf(['asset', 'get', 'a-1'])).toEqual([
      ['mar', 'login'],
      ['mar', 'sandbox', '--background', '--login'],
    ]);
    expect(await nextOf(['wr', 'get', 'a-1', '--zzzz'])).toEqual([['mar', 'wr', 'get', '--help']]);
  });

  it('say which record to look at after a write with an unknown outcome', async () => {
    const { env } = await recordingServer({ status: 500, body: '{}' });
    const argv = ['translation', 'submit', '--set', 'workRequest=wr-1', '--set', 'language=fra'];
    const submitted = [...argv, '--set', 'asset=a-1', '--skip-checks'];
    expect(await nextOf(submitted, env)).toEqual([['mar', 'wr', 'get', 'wr-1']]);
  });

  it('have the profile of the failed command', async () => {
    const env = { ...account, MAR_BASE_URL: 'http://127.0.0.1:1/api', MAR_PROFILE: 'p 1' };
    expect(await nextOf(['asset', 'get', 'a-1', '--retries', '0'], env)).toEqual([
      ['mar', 'login', '--profile', 'p 1'],
    ]);
  });

  it.each([
    ['To log in, run: mar login', [['mar', 'login']]],
    ["To look, run: mar find 'a b' --kind file", [['mar', 'find', 'a b', '--kind', 'file']]],
    ['Check it (mar wr get wr-1).', [['mar', 'wr', 'get', 'wr-1']]],
    [
      'First (mar whoami).\nThen run: mar login',
      [
        ['mar', 'whoami'],
        ['mar', 'login'],
      ],
    ],
    ['To wait for a status, run: mar wr wait ID --status STATUS', []],
    ['Give the id without a flag: mar wr get ID', []],
    ['pipe the output to jq: mar … --jsonl | jq …', []],
    ['use: mar wr create --set due.date=VALUE', []],
    ['Add it: mar api /x > FILE', []],
    ['Try again.', []],
  ])('are left out if a word stands for another: %s', (hint, commands) => {
    expect(commandsIn(hint)).toEqual(commands);
  });
});
