import type { Module } from '../../module.ts';

/** The whole service on this machine, to try `mar` and to test against. */
export const sandbox: Module = {
  entries: [
    {
      name: 'sandbox',
      group: 'Start here',
      before: 'log',
      summary: 'Start a local service with demo data, to try mar',
      load: () => import('./commands/sandbox.ts'),
      verbs: {
        status: () => import('./commands/status.ts'),
        stop: () => import('./commands/stop.ts'),
        reset: () => import('./commands/reset.ts'),
        export: () => import('./commands/export.ts'),
        set: () => import('./commands/set.ts'),
      },
    },
  ],
};
