import type { Module } from '../../module.ts';

/** Subtitles of work requests and of files. */
export const subtitles: Module = {
  verbs: {
    translation: {
      summary: 'Check, fix and compare subtitles; submit translations',
      before: 'submit',
      verbs: {
        export: () => import('../../commands/translation/export.ts'),
        check: () => import('../../commands/translation/check.ts'),
        fix: () => import('../../commands/translation/fix.ts'),
        diff: () => import('../../commands/translation/diff.ts'),
        compare: () => import('../../commands/translation/compare.ts'),
      },
    },
  },
  extends: {
    'translation submit': async (command) =>
      (await import('../../commands/translation/submitChecked.ts')).withLineCheck(command),
  },
};
