import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The program imports style sheets as text.
    css: true,
    include: ['test/system/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // Much of a test is waiting. Each starts its own terminal, keyring and servers.
    maxWorkers: availableParallelism() + 2,
  },
});
