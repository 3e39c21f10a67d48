import type { Module } from '../../module.ts';

const writes = [
  'wr create',
  'asset put',
  'translation submit',
  'file upload-meta',
  'preview put',
  'offline put',
  'event put',
  'user put',
] as const;

/** Many records from the rows of a file. */
export const batch: Module = {
  entries: [
    {
      name: 'batch',
      group: 'Tools',
      before: 'api',
      aliases: ['batches'],
      summary: 'Show, decide and undo batches of many records',
      details:
        'A batch is started by the command of its records, and resumed by the same command: mar wr create --batch FILE',
      verbs: {
        list: () => import('./commands/list.ts'),
        status: () => import('./commands/status.ts'),
        resolve: () => import('./commands/resolve.ts'),
        undo: () => import('./commands/undo.ts'),
        report: () => import('./commands/report.ts'),
      },
    },
  ],
  topics: { batch: 'Flags for many records from the rows of a file' },
  extends: {
    ...Object.fromEntries(
      writes.map((words) => [
        words,
        async (command) => (await import('./batchable.ts')).batchable(words, command),
      ]),
    ),
    undo: async (command) => (await import('./batchable.ts')).withBatches(command),
  },
};
