import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/* Hostile input, through the command line. MAR_TEST_PROGRAM names another program to test. */
export default defineConfig({
  test: {
    include: ['test/hardening/**/*.test.ts'],
    testTimeout: 120_000,
    // Much of a test is waiting.
    maxWorkers: availableParallelism() + 1,
  },
});
