import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectOneRead } from '../../core/credentials/keychain/countedReads.ts';
import { bytesOf } from '../../core/output/slowService.ts';
import { linesOf } from '../../harness/jsonLines.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { factsIn, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { writeService } from '../../harness/writeService.ts';
import { batchOf, numbered } from './harness.ts';

it('--quiet keeps the rows of a batch that failed or were skipped, and the result', async () => {
  const service = await writeService((_, count) => (count === 1 ? { status: 422 } : {}));
  const rows = `${numbered(2)}{"instructions":7}\n`;
  const batch = batchOf(service, rows);
  const { code, stdout, stderr } = await batch.run(['-q', '--skip-invalid']);
  expect(code).toBe(8);
  expect(stdout).toContain('3 rows: 1 done, 1 failed');
  expect(stderr).toMatch(
    /^warning: rows 1-2 .*\nRow 3 \(line 3\) skipped: .*\nRow 1 \(line 1\) failed: .*\nerror: /,
  );
});

describe('during a request of 25 seconds', () => {
  beforeEach(() => {
    // Only the clock of the progress: requests and their time limits keep the real one.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => vi.useRealTimers());

  it('--quiet prints nothing', async () => {
    const argv = (env: Record<string, string>) => [
      ...batchOf({ env }, numbered(1)).argv,
      '--quiet',
    ];
    expect(await bytesOf(argv, { columns: 80 }, '{"_id":"wr-1"}')).toBe('');
  });
});

it('a warning for a program names the unknown columns', async () => {
  const { env } = await recordingServer('{"_id":"wr-9"}');
  const file = temporaryFile('language,zzzz\nfra,1\n', 'rows.csv');
  const argv = ['wr', 'create', '--batch', file, '--check', '--skip-checks'];
  const [line] = await linesOf(argv, env);
  expect(line).toMatchObject({ warning: { code: 'unknown-column', fields: [{ path: 'zzzz' }] } });
});

it('an error names a column that is not known, and what was meant', async () => {
  const { env } = await recordingServer('{}');
  const file = temporaryFile('langauge,status\nfra,new\n', 'rows.csv');
  const { stderr } = await mar(['--json', 'wr', 'create', '--batch', file], { env });
  const fields = [{ path: 'langauge', suggestion: 'language' }];
  expect(factsIn(stderr)).toMatchObject({ fields });
});

it('a flag that --batch excludes is refused by its name, and nothing is sent', async () => {
  const argv = ['wr', 'create', '--batch', 'rows.csv', '--edit'];
  expect(await refused(argv)).toMatch('--batch and --edit');
});

it('the credential store is read once by a batch', async () => {
  const rows = temporaryFile('{"_id":"p-1"}\n'.repeat(3), 'rows.jsonl');
  await expectOneRead(`preview put --batch ${rows}`, ['{"_id":"p-1"}'], 3);
});
