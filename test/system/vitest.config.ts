import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/system/**/*.test.ts'],
    testTimeout: 120_000,
    // Each test has the real thing to itself: one terminal, one keyring.
    fileParallelism: false,
  },
});
