import { endpoints } from '../../api/endpoints.ts';
import { Service } from '../../api/service.ts';
import { type MarError, usageError } from '../../errors.ts';
import { type Input, option, optionKey, stringOption } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/value.ts';
import type { CardTools } from '../../output/viewType.ts';
import { idOf } from '../../records/references.ts';
import type { Context } from '../../session/context.ts';
import { words } from '../../values/commandLine.ts';
import { readVersion } from '../../writes/apply.ts';
import { readBody } from '../../writes/body.ts';
import { create, createOptions } from '../../writes/createRecord.ts';
import { withFieldFlags } from '../../writes/fieldFlags.ts';
import { refuseDoubtfulValues } from '../../writes/refuseMistakes.ts';
import { type Command, noImportNote } from '../command.ts';
import { translationView } from './view.ts';

const defaultStatus = new Service().value('translation', 'submitted');

export const command: Command = {
  summary: 'Submit a translation, without its lines',
  details: `Sends the work request, asset, language and status of a translation. ${noImportNote}`,
  endpoint: 'translationCreate',
  view: translationView,
  options: [
    option(
      '--work-request <id>',
      'work request of the translation; its asset and language are the defaults',
      { completes: { idOf: 'WorkRequest' } },
    ),
    option('--asset <id>', 'asset of the work request', { completes: { idOf: 'Asset' } }),
    option('--language <code>', 'three-letter language code, such as fra', {
      completes: 'language',
    }),
    option('--status <status>', 'status of the translation', {
      default: `${defaultStatus} or the setting translation.submitted; only with --work-request, --asset or --language, and without -f`,
      completes: { valueNamed: 'translation-status' },
    }),
    ...createOptions('language=fra'),
  ],
  examples: {
    'Submit the one of a work request': 'mar translation submit --work-request wr-2001',
    'Submit one from a file': 'mar translation submit -f translation.yaml',
  },
  unexpectedArgument: takesNoLines,
  async *run(context, input) {
    if (subtitleFile.test(stringOption(input, 'file') ?? '')) throw takesNoLines();
    const invocation = { endpoint: 'translationCreate', view: translationView, input } as const;
    const flagged = withFieldFlags(withStatus(context, input), fieldFlags);
    const record = await readBody(context, { ...invocation, input: flagged });
    await refuseDoubtfulValues(context, invocation, record);
    await completeFromRequest(context, input, record);
    yield* create(context, invocation, record, { describe: describeTranslation });
    if (input.options.dryRun) return;
    context.reporter.reportOnce(`No lines were sent. ${noImportNote}`);
  },
};

const subtitleFile = /\.(?:srt|vtt|ttml|dfxp|itt)$/i;

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
function withStatus({ session }: Context, input: Input): Input {
  const keys = Object.keys(fieldFlags).map((name) => optionKey(`--${name}`));
  const isFlagged = keys.some((key) => input.options[key] !== undefined);
  const hasStatus = input.options.status !== undefined || input.options.file !== undefined;
  if (!isFlagged || hasStatus) return input;
  const status = session.service().value('translation', 'submitted');
  return { ...input, options: { ...input.options, status } };
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
