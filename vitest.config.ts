import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/{hardening,system,binary}/**'],
    testTimeout: 20_000,
    // Times for people are in local time.
    env: { TZ: 'UTC' },
    // Much of a test is waiting, for a process or a server: one worker less would leave a core idle.
    maxWorkers: '100%',
  },
});
