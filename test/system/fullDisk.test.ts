import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';

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
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...program, ...argv], {
    env: { ...cleanEnvironment(temporaryFolder(), env), DISK: temporaryFolder() },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  await once(child, 'close');
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
