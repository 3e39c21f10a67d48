import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/*
 * Hostile input, through the command line. Where a process is needed (files, signals, memory), it is the built
 * program, or the one that MAR_TEST_PROGRAM names.
 */
export default defineConfig({
  test: {
    include: ['test/hardening/**/*.test.ts'],
    // Work with the square of a large input takes minutes; the limit only has to tell that apart.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // Files share what they import.
    isolate: false,
    // Much of a test is waiting.
    maxWorkers: availableParallelism() + 1,
  },
});
