import { defineConfig } from 'vitest/config';

/* Tests what `npm run package` has made. It needs root, to change the root folder, and Debian's tools. */
export default defineConfig({
  test: {
    include: ['test/packages/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: '100%',
  },
});
