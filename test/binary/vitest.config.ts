import { defineConfig } from 'vitest/config';

/*
 * Runs the end-to-end tests with the one-file program. Excluded are the tests of the cache of compiled code and
 * the files that it loads (compiled, startup): it is compiled when it is built, and is one file.
 */
export default defineConfig({
  test: {
    include: [
      'test/binary/**/*.test.ts',
      'test/e2e/**/*.test.ts',
      'test/hardening/**/*.test.ts',
      'test/system/{completion,keychain,login,terminal,tls}.test.ts',
    ],
    // These load code into Node before the program, which the one-file program does not allow.
    exclude: ['test/e2e/{compiled,startup}.test.ts', 'test/hardening/{clock,localhost}.test.ts'],
    env: { MAR_TEST_PROGRAM: 'build/mar' },
    testTimeout: 60_000,
    // Each test has the real thing to itself: one terminal, one keyring.
    fileParallelism: false,
  },
});
