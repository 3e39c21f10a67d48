import type { Module } from '../../module.ts';

/** Subtitles of work requests and of files. */
export const subtitles: Module = {
  verbs: {
    translation: {
      summary: 'Check, fix and compare subtitles; submit translations',
      before: 'submit',
      verbs: {
        export: () => import('./commands/export.ts'),
        check: () => import('./commands/check.ts'),
        fix: () => import('./commands/fix.ts'),
        diff: () => import('./commands/diff.ts'),
        compare: () => import('./commands/compare.ts'),
      },
    },
  },
};
