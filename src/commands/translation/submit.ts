import { endpoints } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import { MarError, runHint, usageError } from '../../errors.ts';
import { type Input, option, optionKey, stringOption } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/value.ts';
import { claimsOf } from '../../languages/language.ts';
import type { CardTools } from '../../output/view.ts';
import { idOf } from '../../records/references.ts';
import type { Context } from '../../session/context.ts';
import { registry, summarise } from '../../subtitles/index.ts';
import { words } from '../../values/commandLine.ts';
import {
  create,
  createOptions,
  readBody,
  readVersion,
  refuseDoubtfulValues,
  withFieldFlags,
} from '../../writes/index.ts';
import { batchable } from '../batchable.ts';
import { noImportNote } from '../command.ts';
import { limitOptions, subtitlesChecker, summaryOf } from './findings.ts';
import { graphicsOption, readRequest } from './source.ts';
import { translationView } from './view.ts';

/** Limits without --check would not be applied, though the user expects it. */
const checkOptions = [graphicsOption, ...limitOptions].map((option) => ({
  ...option,
  needs: '--check',
}));

export const command = batchable('translation submit', {
  summary: 'Submit a translation, without its lines',
  details: `Sends the work request, asset, language and status of a translation, not its lines. ${noImportNote}`,
  endpoint: 'translationCreate',
  view: translationView,
  options: [
    option(
      '--work-request <id>',
      'work request that the translation belongs to; asset and language are taken from it unless given',
      { completes: { idOf: 'WorkRequest' } },
    ),
    option('--asset <id>', 'asset of the work request', { completes: { idOf: 'Asset' } }),
    option('--language <code>', 'three-letter language code, such as fra', {
      completes: 'language',
    }),
    option('--status <status>', 'status of the translation', {
      default: 'submitted, if a flag above is given without -f',
      completes: { valueNamed: 'translation status' },
    }),
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
    ...createOptions('language=fra'),
    ...checkOptions,
  ],
  examples: {
    'Submit it if its lines have no errors':
      'mar translation submit --work-request wr-2001 --check',
    'Submit one from a file': 'mar translation submit -f translation.yaml',
  },
  unexpectedArgument: takesNoLines,
  async *run(context, input) {
    const { options } = input;
    if (registry.formatNamed(stringOption(input, 'file') ?? '')) throw takesNoLines();
    const invocation = { endpoint: 'translationCreate', view: translationView, input } as const;
    const flagged = withFieldFlags(withStatus(input), fieldFlags);
    const record = await readBody(context, { ...invocation, input: flagged });
    await refuseDoubtfulValues(context, invocation, record);
    await completeFromRequest(context, input, record);
    await refuseMistakes(context, input, record);
    yield* create(context, invocation, record, { describe: describeTranslation });
    if (!options.dryRun) context.reporter.reportOnce(`No lines were sent. ${noImportNote}`);
  },
});

function takesNoLines(): MarError {
  return usageError('translation submit takes no subtitles: the API does not accept lines', [
    { text: 'Correct the lines in the web application:', command: words`mar wr open ID` },
    { text: 'Then run:', command: words`mar translation submit --work-request ID` },
  ]);
}

function describeTranslation(record: unknown, show: CardTools): string {
  const [request = '', ...others] = ['workRequest', 'language', 'status'].map((field) =>
    show.cell(valueAt(record, field)),
  );
  const subject = request === '' ? '' : `for work request ${request}`;
  return [subject, ...others].filter((part) => part !== '').join(', ');
}

const fieldFlags = {
  'work-request': { path: 'workRequest' },
  asset: { path: 'asset' },
  language: { path: 'language' },
  status: { path: 'status' },
};

/** A record from a file gets no default status, since the file has its own. */
function withStatus(input: Input): Input {
  const keys = Object.keys(fieldFlags).map((name) => optionKey(`--${name}`));
  const isFlagged = keys.some((key) => input.options[key] !== undefined);
  const hasStatus = input.options.status !== undefined || input.options.file !== undefined;
  return isFlagged && !hasStatus
    ? { ...input, options: { ...input.options, status: 'submitted' } }
    : input;
}

/** Takes the asset and the language from the work request, unless the record has them. */
async function completeFromRequest(context: Context, input: Input, record: JsonObject) {
  const id = stringOption(input, 'workRequest');
  const isRemoved = (field: string) =>
    input.given.some(({ name, value }) => name === 'unset' && value === field);
  const missing = ['asset', 'language'].filter((field) => !record.has(field) && !isRemoved(field));
  if (id === undefined || missing.length === 0) return;
  const { record: request } = await readVersion(context, endpoints.workRequestGet, id);
  for (const field of missing) {
    const value = idOf(request.get(field));
    if (typeof value === 'string') record.set(field, value);
    else {
      const message = `work request ${id} has no ${field}, so none is sent`;
      context.reporter.warn('missing-field', message, [{ path: field }]);
    }
  }
}

async function refuseMistakes(context: Context, input: Input, body: JsonObject): Promise<void> {
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
