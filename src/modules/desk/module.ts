import type { Module } from '../../module.ts';

/** The day of an operator: what needs attention, what happened, and where it is. */
export const desk: Module = {
  entries: [
    {
      name: 'today',
      group: 'Find',
      before: 'log',
      summary: 'Show what needs your attention, and whom it waits for',
      load: () => import('./commands/today/today.ts'),
    },
    {
      name: 'find',
      group: 'Find',
      before: 'log',
      summary: 'Find records by name or id',
      load: () => import('./commands/find.ts'),
    },
  ],
  verbs: {
    wr: {
      summary: 'Show, create and track work requests',
      before: 'open',
      verbs: {
        wait: () => import('./commands/wr/wait.ts'),
        history: () => import('./commands/wr/history.ts'),
        track: () => import('./commands/wr/track.ts'),
        untrack: () => import('./commands/wr/untrack.ts'),
      },
    },
    downloads: {
      summary: 'List downloads, also those under embargo',
      verbs: { audit: () => import('./commands/downloads/audit.ts') },
    },
  },
};
