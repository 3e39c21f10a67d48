import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/{system,binary}/**'],
    testTimeout: 20_000,
  },
});
