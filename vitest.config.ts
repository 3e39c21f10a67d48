import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/{hardening,system,binary,packages}/**'],
    // Only a test that hangs reaches it, also beside a dozen other programs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // Files share what they import, which halves the time. A test that changes the time zone or the clock resets it.
    isolate: false,
    // Style sheets are part of the program, which imports them as text.
    css: true,
    // Times for people are in local time.
    env: { TZ: 'UTC' },
    // Much of a test is waiting, for a process, a server or a time limit: two workers more than cores keep them busy.
    maxWorkers: availableParallelism() + 2,
  },
});
