import { describe, expect, it } from 'vitest';
import { runProgram } from '../harness/program.ts';
import { recordService, type StoredRecord } from '../harness/recordService.ts';
import { isolated } from '../harness/service.ts';

const get = ['asset', 'get', 'a-1'];

async function run(argv: readonly string[], records: Record<string, StoredRecord>) {
  const service = await recordService(records);
  const env = isolated(service.env);
  return { ...(await runProgram(argv, env)), paths: service.paths };
}

describe('a text of millions of characters', () => {
  it.each([
    ['of one word', '漢'.repeat(5_000_000)],
    ['of many words', '漢 '.repeat(2_500_000).trim()],
  ])('%s is printed as YAML', async (_name, text) => {
    const asset = JSON.stringify({ _id: 'a-1', name: text });
    const { code, stdout, stderr } = await run([...get, '-o', 'yaml'], { '/assets/a-1': asset });
    expect(code, stderr).toBe(0);
    // Not `toBe`: a difference would be printed whole.
    expect(stdout === `_id: a-1\nname: ${text}\n`).toBe(true);
  });

  it('is exported as a subtitle', async () => {
    const text = `${'漢 '.repeat(5_000_000)}字`;
    const line = { number: 1, startTime: '00:00:01,000', stopTime: '00:00:02,000', text };
    const request = JSON.stringify({ _id: 'wr-1', translation: { lines: [line] } });
    const argv = ['translation', 'export', 'wr-1', '--format', 'srt'];
    const { code, stdout, stderr } = await run(argv, { '/workrequests/wr-1': request });
    expect(code, stderr).toBe(0);
    expect(stdout.includes(text)).toBe(true);
  });
});

describe('a filter that needs more memory than there is', () => {
  const tooMuch = 'too much memory';

  it('is refused before anything is sent where jq finds it out itself', async () => {
    const { code, stdout, stderr, paths } = await run([...get, '--jq', '"x" * 1e9'], {});
    expect({ code, stdout, paths }).toEqual({ code: 2, stdout: '', paths: [] });
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(tooMuch),
    });
  });

  it('fails on the record that it cannot hold, after the results of those before it', async () => {
    const filter = 'if .n == 2 then [range(1e9) | "x" * (1e7 + .)] else .n end';
    const { code, stdout, stderr } = await run(['api', 'GET', '/x', '--jq', filter], {
      '/x': '[{"n":1},{"_id":"f-2","n":2},{"n":3}]',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '1\n' });
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: 'filter',
      message: expect.stringContaining('record f-2: '),
    });
  });
});
