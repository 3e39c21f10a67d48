import type { Noun } from './command.ts';
import { command as check } from './translation/check.ts';
import { command as diff } from './translation/diff.ts';
import { command as exportCommand } from './translation/export.ts';
import { command as submit } from './translation/submit.ts';
import { translationView } from './translation/view.ts';

export const translation: Noun = {
  commands: [exportCommand, check, diff, submit],
  view: translationView,
  examples: [
    { does: 'As subtitles', line: 'mar translation export wr-2001 -O trailer.srt' },
    { does: 'Is it in order?', line: 'mar translation check wr-2001' },
    {
      does: 'Submit it',
      line: 'mar translation submit --work-request wr-2001 --asset a-1001 --language fra',
    },
  ],
};
