import { describe, expect, it } from 'vitest';
import { fakeService, storedLogin } from '../harness/fakeService.ts';
import { outcomeOf, runProgram, startProgram } from '../harness/program.ts';
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

const offered = async (env: NodeJS.ProcessEnv, shell = 'fish') => {
  const words = shell === 'bash' ? ['mar asset get ', ' \t\n', '9', '80'] : ['asset', 'get', ''];
  const { stdout } = await runProgram(['complete-words', shell, ...words], {
    ...env,
    MAR_COMPLETE_WORDS: words.join('\n'),
  });
  return stdout.split('\n').slice(1, -1);
};

describe('Tab', () => {
  it.each(['--force', '-', '-o', '--show-secrets', '-\u00a0x'])(
    'does not offer the id %j, which would be read as a flag',
    async (id) => {
      const { env, requested } = await everyRecord();
      await runProgram(['asset', 'get', '--', id], env, 'a1\n');
      await runProgram(['asset', 'get', 'a1'], env);
      expect(requested).toContain(id === '-' ? 'a1' : id);
      expect(await offered(env)).toEqual(['a1\tA name']);
      expect(await offered(env, 'bash')).toEqual(['a1']);
    },
  );

  it('does not offer such an id that the service made', async () => {
    const { baseUrl } = await fakeService(() => '{"_id":"--force"}');
    const env = isolated(storedLogin(baseUrl));
    const run = await runProgram(['wr', 'create', '--skip-checks', '--set', 'language=fra'], env);
    expect(run.code, run.stderr).toBe(0);
    const { stdout } = await runProgram(['complete-words', 'fish', 'wr', 'get', ''], env);
    expect(stdout).not.toContain('--force');
  });

  it('quotes typographic apostrophes for PowerShell, which takes them for its own', async () => {
    const { env } = await everyRecord();
    const id = 'a\u2019; calc; \u2018b';
    await runProgram(['asset', 'get', id], env);
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
    const child = startProgram(argv, env);
    child.stdin.end(Buffer.from('a1\n\nb\xe9c\nd1\n', 'latin1'));
    const { code, stderr } = await outcomeOf(child);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('line 3');
    expect(stderr).toContain('UTF-8');
    expect(requested.join()).not.toContain('\ufffd');
  });
});
