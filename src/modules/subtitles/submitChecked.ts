import { pathSegment } from '../../core/client/request.ts';
import type { Command } from '../../core/commands/command.ts';
import { submission, takesNoLines } from '../../core/commands/translation/submit.ts';
import { MarError, runHint, usageError } from '../../core/errors.ts';
import { type Input, option, stringOption } from '../../core/input.ts';
import type { JsonObject } from '../../core/json/value.ts';
import type { Context } from '../../core/session/context.ts';
import { words } from '../../core/values/commandLine.ts';
import { summarise } from './check/summary.ts';
import { limitOptions, subtitlesChecker, summaryOf } from './commands/findings.ts';
import { graphicsOption, readRequest } from './commands/source.ts';
import * as registry from './formats/registry.ts';
import { claimsOf } from './languages/language.ts';

const checkOptions = [
  option(
    '--check',
    'check the lines of the work request first, and send nothing if there are errors; with --batch, check all rows and send nothing',
    {
      excludes: ['--edit'],
      relationHints: {
        '--edit': runHint('To check it first', words`mar translation check ID`),
      },
    },
  ),
  // Limits without --check would not be applied, though the user expects it.
  ...[graphicsOption, ...limitOptions].map((one) => ({ ...one, needs: '--check' })),
];

/** `mar translation submit` with a check of the lines before. */
export const withLineCheck = (command: Command): Command => ({
  ...command,
  options: [...(command.options ?? []), ...checkOptions],
  examples: {
    'Submit it if its lines have no errors':
      'mar translation submit --work-request wr-2001 --check',
    ...command.examples,
  },
  async *run(context, input) {
    if (registry.formatNamed(stringOption(input, 'file') ?? '')) throw takesNoLines();
    yield* submission(checkLines)(context, input);
  },
});

async function checkLines(context: Context, input: Input, body: JsonObject): Promise<void> {
  if (!input.options.check) return;
  const id = body.get('workRequest');
  if (typeof id !== 'string' || id === '') {
    throw usageError('--check needs a work request', 'Add --work-request ID.', { flag: '--check' });
  }
  pathSegment(id);
  const subtitles = await readRequest(context.session, input, id, true);
  const language = body.get('language');
  const named =
    typeof language === 'string' ? { language, claims: claimsOf({ '--language': language }) } : {};
  const checked = await subtitlesChecker(context, input)({ ...subtitles, ...named });
  const { findings } = checked;
  if (findings.length === 0) return;
  const summary = summaryOf(summarise(checked));
  const command = words`mar translation check ${id}`;
  const first = findings.find(({ severity }) => severity === 'error');
  if (first === undefined) {
    return context.reporter.warn('check', [summary, runHint('For details', command)]);
  }
  const hint =
    subtitles.lines.length === 0
      ? runHint('To see the work request', words`mar wr get ${id}`)
      : [
          `Line ${first.line?.number ?? first.place}: ${first.message}.`,
          runHint('To see all problems', command),
        ];
  throw new MarError('check', `${summary}; nothing was sent`, { hint });
}
