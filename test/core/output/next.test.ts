import { describe, expect, it } from 'vitest';
import { words } from '../../../src/core/values/commandLine.ts';
import { commandsOf } from '../../../src/core/values/hintLines.ts';
import { mar } from '../../harness/mar.ts';
import { account, recordingServer } from '../../harness/recordingServer.ts';

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

  it('are left out if they would say what the service is', async () => {
    const { env } = await recordingServer('{"_id":"a-1","created":1796148000}');
    const order = ['wr', 'create', '--asset', 'a-1', '--language', 'fra', '--use', 'online'];
    const { stderr } = await mar([...order, '--due', '+5d', '--json'], { env });
    const { hint, next } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;
    expect(hint).toContain('time.unit=s');
    expect(next).toBeUndefined();
  });

  it('are left out if a word is to be replaced, or if a person decides', () => {
    const text = 'Run:';
    const hints = [
      { text, command: words`mar find ${'a b'}` },
      { text, command: words`mar wr wait ID --status ${'DONE'}` },
      { text, command: words`mar wr get ${'a"b'}` },
      { text, command: words`mar batch resolve rows.csv ${'3=retry'}`, for: 'person' as const },
      { text, command: words`chmod 600 ${'token'}` },
      { text: 'Try again.' },
    ];
    expect(commandsOf(hints)).toEqual([['mar', 'find', 'a b']]);
  });
});
