import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { program, runProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';

/** A disk of 64 kB; prints the exit code and how much was written. */
const script = `
  set -e
  mount -t tmpfs -o size=64k tmpfs "$DISK"
  code=0
  "$@" >"$DISK/output" || code=$?
  echo "$code $(stat -c %s "$DISK/output")"
`;

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function runOnSmallDisk(argv: readonly string[], env: Record<string, string>) {
  const words = ['--mount', 'sh', '-c', script, 'sh', ...program, ...argv];
  const own = { ...isolated(env), DISK: temporaryFolder() };
  const { stdout, stderr } = await runProgram(words, own, '', ['unshare']);
  const [code, size] = stdout.trim().split(' ').map(Number);
  return { code, size, stderr };
}

// Mounting takes the rights of root.
describe.skipIf(!canMount() && !process.env.CI)('a disk of 64 kB', () => {
  it.each([
    ['holds a record that fits', 40_000, { code: 0, stderr: '' }],
    [
      'fails a record that does not fit',
      100_000,
      { code: 1, size: 65_536, stderr: expect.stringContaining('the disk is full') },
    ],
  ])('%s', async (_, length, expected) => {
    const { env } = await recordingServer(JSON.stringify({ _id: 'a-1', name: 'x'.repeat(length) }));
    expect(await runOnSmallDisk(['asset', 'get', 'a-1', '--json'], env)).toMatchObject(expected);
  });
});
