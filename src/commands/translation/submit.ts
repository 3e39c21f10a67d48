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
        summary: 'the work request that it is for',
        completes: { idOf: 'WorkRequest' },
      },
      { flags: '--asset <id>', summary: 'the asset', completes: { idOf: 'Asset' } },
      { flags: '--language <code>', summary: 'its language, in three letters' },
      {
        flags: '--status [status]',
        summary: 'its status; alone, with --batch: how far the batch came',
        default: 'submitted, where a flag above is given and no file',
        completes: knownStatuses.translation.map((value) => ({ value })),
      },
      { flags: '--check', summary: "check the request's lines first, and send nothing on errors" },
      ...createOptions('language=fra'),
      ...checkOptions,
    ],
    examples: [
      {
        does: 'For a work request, if its lines are in order',
        line: 'mar translation submit --work-request wr-2001 --asset a-1001 --language fra --check',
      },
      { does: 'From a file', line: 'mar translation submit -f translation.yaml' },
    ],
    async run(context, input) {
      refuseLimitsWithoutCheck(input);
      const record = await readBody(context, {
        endpoint: 'translationCreate',
        input: withFieldFlags(input),
      });
      if (input.options.check) await refuseMistakes(context, input, record);
      const invocation = { endpoint: 'translationCreate', view: translationView, input } as const;
      await create(context, invocation, record);
    },
  },
  { sharedFlags: ['--status'] },
);

/** Limits without --check would not be applied, though the user expects it. */
function refuseLimitsWithoutCheck({ options }: Input): void {
  if (options.check) return;
  const given = checkOptions.find(({ flags }) => options[optionKey(flags)] !== undefined);
  if (given) throw usageError(`${given.flags.split(' ')[0]} goes with --check`);
}

/** A record from a file gets no default status, since the file has its own. */
function withFieldFlags(input: Input): Input {
  const given = ['--work-request', '--asset', '--language', '--status'].flatMap((flag) => {
    const field = optionKey(flag);
    const value = stringOption(input, field);
    // Probably an empty variable in a script.
    if (value?.trim() === '') throw usageError(`${flag} is empty`);
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
      '--check does not go with --edit, where the work request may still change',
      'check it first: mar translation check ID',
    );
  }
  const id = body.get('workRequest');
  if (typeof id !== 'string' || id === '') {
    throw usageError('--check needs to know whose lines to check', 'add --work-request ID');
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
    context.reportOnce(`warning: ${summary}${findings.length > 0 ? `: ${checkCommand}` : ''}`);
    return;
  }
  throw new MarError('refused', `nothing was sent: ${summary}`, {
    hint: `line ${first.number ?? first.place} ${first.message}\nall of them: ${checkCommand}`,
  });
}
