import type { Module } from '../../module.ts';

/** The whole service on this machine, to try `mar` and to test against. */
export const sandbox: Module = {
  entries: [
    {
      name: 'sandbox',
      group: 'Start here',
      before: 'recent',
      summary: 'Start a local service with demo data, to try mar',
      load: () => import('../../commands/sandbox/sandbox.ts'),
      verbs: {
        status: () => import('../../commands/sandbox/status.ts'),
        stop: () => import('../../commands/sandbox/stop.ts'),
        reset: () => import('../../commands/sandbox/reset.ts'),
        export: () => import('../../commands/sandbox/export.ts'),
        set: () => import('../../commands/sandbox/set.ts'),
      },
    },
  ],
};
