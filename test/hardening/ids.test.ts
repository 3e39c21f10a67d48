import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fakeService, storedLogin } from '../harness/fakeService.ts';
import { mar, marOk } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';

/** A service in which every id is a record. */
async function everyRecord() {
  const requested: string[] = [];
  const { baseUrl } = await fakeService(({ path }) => {
    const id = decodeURIComponent(path.replace(/.*\//, ''));
    requested.push(id);
    return JSON.stringify({ _id: id, status: 'done', name: 'A name' });
  });
  return { requested, env: isolated(storedLogin(baseUrl)) };
}

const offered = async (env: Record<string, string>, shell = 'fish') => {
  const words = shell === 'bash' ? ['mar asset get ', ' \t\n', '9', '80'] : ['asset', 'get', ''];
  const { stdout } = await runProgram(['complete-words', shell, ...words], {
    ...env,
    MAR_COMPLETE_WORDS: words.join('\n'),
  });
  return stdout.split('\n').slice(1, -1);
};

describe('Tab', () => {
  it('does not offer ids that would be read as flags, nor such a one that the service made', async () => {
    const { env, requested } = await everyRecord();
    const ids = ['--force', '-o', '--show-secrets', '-\u00a0x'];
    for (const id of ids) await mar(['asset', 'get', '--', id], { env });
    expect(requested).toEqual(ids);
    await mar(['asset', 'get', '--', '-'], { env, stdin: 'a1\n' });
    await mar(['asset', 'get', 'a1'], { env });
    expect(await offered(env)).toEqual(['a1\tA name']);
    expect(await offered(env, 'bash')).toEqual(['a1']);

    const { baseUrl } = await fakeService(() => '{"_id":"--force"}');
    const maker = isolated(storedLogin(baseUrl));
    await marOk(['wr', 'create', '--skip-checks', '--set', 'language=fra'], { env: maker });
    const { stdout } = await runProgram(['complete-words', 'fish', 'wr', 'get', ''], maker);
    expect(stdout).not.toContain('--force');
  });

  it('quotes typographic apostrophes for PowerShell, which takes them for its own', async () => {
    const { env } = await everyRecord();
    const id = 'a\u2019; calc; \u2018b';
    await mar(['asset', 'get', id], { env });
    const [row = ''] = await offered(env, 'powershell');
    expect(row.split('\t')[0]).toBe("'a\u2019\u2019; calc; \u2018\u2018b'");
  });
});

describe('ids from standard input', () => {
  const commands = [
    ['asset', 'get', '-', '--json'],
    ['wr', 'wait', '-', '--status', 'done', '--json'],
    ['translation', 'export', '-', '-O', '/nonexistent/{id}.srt'],
  ];

  it.each(commands)('that are not UTF-8 are refused by their line: %s %s', async (...argv) => {
    const { env, requested } = await everyRecord();
    const stdin = Readable.from([Buffer.from('a1\n\nb\xe9c\nd1\n', 'latin1')]);
    const { code, stderr } = await mar(argv, { env, stdin });
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('line 3');
    expect(stderr).toContain('UTF-8');
    expect(requested.join()).not.toContain('\ufffd');
  });
});
