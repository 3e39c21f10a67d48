import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/*
 * Tests what is different in the one-file program: its own modules for the keychain, for SQLite and for jq, how it
 * starts, signals and pipes, the sandbox. The rest is the same code, tested elsewhere.
 */
export default defineConfig({
  test: {
    include: [
      'test/binary/**/*.test.ts',
      'test/e2e/{completion,jq,pipes,sandbox}.test.ts',
      'test/hardening/{crashes,sandboxDisk}.test.ts',
      'test/system/{keychain,terminal}.test.ts',
    ],
    env: { MAR_TEST_PROGRAM: 'build/mar' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // Much of a test is waiting.
    maxWorkers: availableParallelism() + 1,
  },
});
