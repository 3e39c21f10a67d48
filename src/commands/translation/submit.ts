import { knownStatuses } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { commandLine } from '../../values/commandLine.ts';
import { batchable } from '../batch/batchable.ts';
import { type Input, optionKey, stringOption } from '../command.ts';
import { readBody } from '../write/body.ts';
import { create, createOptions } from '../write/create.ts';
import { errorsIn, limitOptions, sourceChecker, summaryOf } from './findings.ts';
import { graphicsOption, readRequest } from './source.ts';
import { translationView } from './view.ts';

const checkOptions = [graphicsOption, ...limitOptions];

export const command = batchable(
  {
    name: 'submit',
    summary: 'Submit a translation',
    endpoint: 'translationCreate',
    view: translationView,
    options: [
      {
        flags: '--work-request <id>',
        summary: 'work request that the translation belongs to',
        completes: { idOf: 'WorkRequest' },
      },
      { flags: '--asset <id>', summary: 'asset of the work request', completes: { idOf: 'Asset' } },
      { flags: '--language <code>', summary: 'three-letter language code, such as fra' },
      {
        flags: '--status [status]',
        summary:
          'status of the translation; with --batch and no value: show the progress of the batch',
        default: 'submitted, if a flag above is given without -f',
        completes: knownStatuses.translation.map((value) => ({ value })),
      },
      {
        flags: '--check',
        summary: 'check the lines of the work request first, and send nothing if there are errors',
      },
      ...createOptions('language=fra'),
      ...checkOptions,
    ],
    examples: [
      {
        does: 'Submit it if its lines have no errors',
        line: 'mar translation submit --work-request wr-2001 --asset a-1001 --language fra --check',
      },
      { does: 'Submit one from a file', line: 'mar translation submit -f translation.yaml' },
    ],
    async run(context, input) {
      const { options } = input;
      const limit = checkOptions.find(({ flags }) => options[optionKey(flags)] !== undefined);
      // Limits without --check would not be applied, though the user expects it.
      if (limit && !options.check) throw usageError(`${limit.flags.split(' ')[0]} needs --check`);
      const invocation = { endpoint: 'translationCreate', view: translationView, input } as const;
      const record = await readBody(context, { ...invocation, input: withFieldFlags(input) });
      if (options.check) await refuseMistakes(context, input, record);
      await create(context, invocation, record);
    },
  },
  { sharedFlags: ['--status'] },
);

/** A record from a file gets no default status, since the file has its own. */
function withFieldFlags(input: Input): Input {
  const given = ['--work-request', '--asset', '--language', '--status'].flatMap((flag) => {
    const field = optionKey(flag);
    const value = stringOption(input, field);
    // Probably an empty variable in a script.
    if (value?.trim() === '') throw usageError(`${flag} has an empty value`);
    return value === undefined ? [] : [{ name: 'set-string', value: `${field}=${value}` }];
  });
  const needsStatus =
    given.length > 0 &&
    stringOption(input, 'status') === undefined &&
    stringOption(input, 'file') === undefined;
  if (needsStatus) given.push({ name: 'set-string', value: 'status=submitted' });
  return { ...input, given: [...given, ...input.given] };
}

async function refuseMistakes(context: Context, input: Input, body: JsonObject): Promise<void> {
  if (input.options.edit) {
    throw usageError(
      '--check cannot be used with --edit',
      'To check it first, run: mar translation check ID',
    );
  }
  const id = body.get('workRequest');
  if (typeof id !== 'string' || id === '') {
    throw usageError('--check needs a work request', 'Add --work-request ID.');
  }
  pathSegment(id);
  const source = await readRequest(context, input, id, true);
  const language = body.get('language');
  const named = typeof language === 'string' ? { language } : {};
  const { findings } = sourceChecker(input)({ ...source, ...named });
  if (findings.length === 0 && source.lines.length > 0) return;
  const summary = summaryOf({ source, findings });
  const checkCommand = commandLine`mar translation check ${id}`;
  const [first] = errorsIn(findings);
  if (first === undefined) {
    const details = findings.length > 0 ? ` (for details, run: ${checkCommand})` : '';
    return context.reportOnce(`warning: ${summary}${details}`);
  }
  throw new MarError('refused', `${summary}; nothing was sent`, {
    hint: `Line ${first.number ?? first.place}: ${first.message}.\nTo see all problems, run: ${checkCommand}`,
  });
}
