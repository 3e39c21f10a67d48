import { endpoints } from '../../api/endpoints.ts';
import { assumptionHint } from '../../api/service.ts';
import { MarError, personHint, usageError } from '../../errors.ts';
import { type Input, option, stringOption } from '../../input.ts';
import { textAt, valueAt } from '../../json/fields.ts';
import { copyOf, isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { CardTools } from '../../output/viewType.ts';
import { idOf } from '../../records/references.ts';
import type { Context } from '../../session/context.ts';
import { words } from '../../values/commandLine.ts';
import { day, formatDate, localDay, unitOf } from '../../values/time.ts';
import { readBody, translateNames } from '../../writes/body.ts';
import { nothingSent, skipHint, skips } from '../../writes/checks.ts';
import { create, createOptions, templateResult } from '../../writes/createRecord.ts';
import { removeRepeatedTags, withFieldFlags } from '../../writes/fieldFlags.ts';
import { orderLooker } from '../../writes/orderLook.ts';
import { usesProblem } from '../../writes/orderProblems.ts';
import { orderOptions } from '../../writes/placedBefore.ts';
import type { Command } from '../command.ts';
import { nameOf } from '../viewParts.ts';
import { workRequestView } from './view.ts';
import { webAddress } from './webPage.ts';

const endpoint = 'workRequestCreate';

const fieldFlags = {
  asset: { path: 'asset', kind: 'reference' },
  language: { path: 'language' },
  territory: { path: 'territory' },
  due: { path: 'due.date', kind: 'date' },
  tz: { path: 'due.tz' },
  use: { path: 'uses.items', kind: 'list' },
  dialogue: { path: 'dng.dialogue', kind: 'list' },
  instructions: { path: 'instructions' },
  tag: { path: 'tags[+]' },
} as const;

export const command: Command = {
  summary: 'Create a work request',
  details:
    'mar refuses probable mistakes. An order that is in its log is sent again only if you say so. It cannot take an order back. By default, an order needs an asset, a language and a wish, such as --use. --like copies what another work request asks for. --set wins over flags such as --asset, and these win over -f and --like. To see all fields, run mar schema wr -o table.',
  endpoint,
  view: workRequestView,
  options: [
    option('--asset <id>', 'asset id', { completes: { idOf: 'Asset' } }),
    option('--language <code>', 'three-letter language code, such as fra', {
      completes: 'language',
    }),
    option('--territory <code>', 'territory code, such as FRA', {
      completes: { valueNamed: 'territory' },
    }),
    option(
      '--due <date>',
      'due date: 2026-12-01T18:00, monday or +14d; without a time, the end of that day',
    ),
    option('--use <item>', 'intended use, such as online (repeatable)', {
      many: true,
      completes: { valueNamed: 'use' },
    }),
    option('--like <id>', 'copy what this work request asks for; also its web address, or a file', {
      excludes: ['--file'],
      completes: { idOf: 'WorkRequest', orFile: true },
    }),
    option('--dialogue <treatment>', 'treatment of the dialogue, such as subtitled (repeatable)', {
      many: true,
      completes: { valueNamed: 'dialogue' },
    }),
    option('--tz <zone>', 'time zone of the due date, such as Europe/Paris or Paris', {
      default: "the record's; with --due, else yours",
      needs: '--due, --file or --like',
      completes: 'time zone',
    }),
    option('--instructions <text>', 'instructions for the people who do the work'),
    option('--tag <tag>', 'add a tag (repeatable)', { many: true }),
    ...createOptions('due.tz=Europe/Paris'),
    ...orderOptions,
    option('--template', 'print a form to fill in; with --edit, send it'),
  ],
  examples: {
    'Create one, due in two weeks':
      'mar wr create --asset a-1001 --language fra --territory FRA --use online --due +14d',
    'Create one from a file, with another due date':
      'mar wr create -f request.yaml --due +1moT18:00 --tz Paris',
    'Copy one for another language':
      'mar wr create --like wr-2001 --language ita --territory ITA --tz Europe/Rome',
    'Copy one of another service, after mar wr get wr-2001 --profile staging -O wr.json':
      'mar wr create --like wr.json --due +14d',
    'Write a form to fill in': 'mar wr create --template > request.yaml',
    'Keep the new id': 'id=$(mar wr create -f request.yaml --jq ._id)',
  },
  async *run(context, input) {
    const isPrinted = input.options.template === true && !input.options.edit;
    const copy = await readLike(context, input);
    const start = copy ? (copyOf(copy.record) as JsonObject) : isPrinted ? new Map() : undefined;
    const record = await readRequest(context, input, start);
    const { checkCopy, finishCopy } = await import('./copy.ts');
    if (copy) finishCopy(context, copy, record);
    if (isPrinted) return yield await templateResult(context, endpoint, record);
    yield* create(context, { endpoint, view: workRequestView, input }, record, {
      async check(made) {
        if (copy) await checkCopy(context, input, copy, made);
        return orderLooker(context)(made, await checkAsset(context, input, made));
      },
      describe: describeRequest,
      address: webAddress,
    });
  },
  rows: {
    fieldFlags: Object.keys(fieldFlags).map((name) => `--${name}`),
    async withFieldFlags(context, input) {
      // The zone of --tz is that of --due, or of each due date without one: the batch adds it.
      const { due, tz } = input.options;
      const options = { ...input.options, tz: due === undefined ? undefined : tz };
      const { given } = await flagsAsEdits(context, { ...input, options });
      return { ...input, given };
    },
    template: (now) => [
      'asset,language,territory,due.date,due.tz,uses.items,dng.dialogue,instructions,tags',
      // Not +14d, which spreadsheets take for a formula.
      `a-1001,fra,FRA,${inTwoWeeks(now)}T18:00,Europe/Paris,online;broadcast,subtitled,Two lines at most,`,
    ],
    async like(context, input) {
      const copy = await readLike(context, input);
      const { copyTemplate } = await import('./copy.ts');
      return copy && copyTemplate(context, input, copy);
    },
  },
};

const inTwoWeeks = (now: Date) => localDay(new Date(now.getTime() + 14 * day));

/** `for The Harbor Light – Trailer A, deu, due 2026-12-01 18:00 Europe/Berlin` */
function describeRequest(record: unknown, show: CardTools): string {
  const asset = show.cell(nameOf(record, 'asset'));
  const due = show.date(valueAt(record, 'due.date'));
  const parts = [
    asset && `for ${asset}`,
    show.cell(valueAt(record, 'language')),
    due && `due ${formatDate(due, valueAt(record, 'due.tz'))}`,
  ];
  return parts.filter(Boolean).join(', ');
}

async function readRequest(context: Context, input: Input, start: JsonObject | undefined) {
  const city = stringOption(input, 'tz');
  const { hasOffset, localZone, readZone } = await import('../../records/dateText.ts');
  const needsZone = !hasOffset(stringOption(input, 'due') ?? '');
  const zone = city?.trim() && needsZone ? readZone(city, '--tz') : city;
  const prepare = (record: JsonObject) => {
    const due = record.get('due') ?? new Map();
    const hasDate = isObject(due) && due.has('date');
    if (zone !== undefined && input.options.due === undefined && !hasDate) {
      const hint = 'It is the time zone of the due date.';
      throw usageError('--tz needs --due', hint, { flag: '--tz' });
    }
    const isZoneGiven = zone !== undefined || (isObject(due) && due.get('tz'));
    // A deadline is documented with its time zone.
    if (input.options.due === undefined || isZoneGiven || !isObject(due)) return;
    record.set('due', new Map(due).set('tz', localZone()));
  };
  const flagged = await flagsAsEdits(context, {
    ...input,
    options: { ...input.options, tz: zone },
  });
  const record = await readBody(context, { endpoint, input: flagged, prepare }, start);
  if (input.options.tag) removeRepeatedTags(record);
  if (input.options.use) {
    const { removeUnusedDetails } = await import('./copy.ts');
    removeUnusedDetails(record);
  }
  return record;
}

/** The flags of fields as edits. What a person names, such as German, becomes its code or id. */
async function flagsAsEdits(context: Context, input: Input): Promise<Input> {
  const { asset, language, territory, skipChecks } = input.options;
  const given = Object.entries({ asset, language, territory });
  const isName = ([, value]: [string, unknown]) =>
    typeof value === 'string' && /\S\s+\S|^\p{L}{4,}$/u.test(value);
  const named = skipChecks === true ? [] : given.filter(isName);
  if (named.length === 0) return withFieldFlags(input, fieldFlags);
  const record = new Map(named as [string, string][]) as JsonObject;
  await translateNames(context, endpoint, record);
  const read = [...record].map(([name, value]) => [name, idOf(value) ?? value]);
  return withFieldFlags(
    { ...input, options: { ...input.options, ...Object.fromEntries(read) } },
    fieldFlags,
  );
}

/** The asset must exist, and must be for the requested uses. Returns its name. */
async function checkAsset(context: Context, input: Input, record: JsonObject) {
  if (skips(input, 'asset')) return undefined;
  const asset = valueAt(record, 'asset');
  const id = idOf(asset as Json | undefined);
  if (typeof id !== 'string' || id === '') return undefined;
  const client = await context.session.client();
  const { value } = await client.call(endpoints.assetGet, { id, forWrite: true }).catch((error) => {
    // Nobody has said that whoever orders may read the asset.
    if (!(error instanceof MarError) || error.details.status !== 403) throw error;
    context.reporter.warn('asset', `asset ${id} was not checked, because you may not read it`);
    return { value: undefined };
  });
  refuseOtherUnit(context, record, value);
  const name = textAt(value, 'name');
  const items = valueAt(record, 'uses.items');
  const problem = usesProblem(id, items, value, context.session.service());
  if (!problem) return name;
  throw usageError(
    problem.message,
    [nothingSent(skipHint('asset')), assumptionHint(problem.rests)],
    { flag: input.options.use ? '--use' : undefined, value: problem.value },
  );
}

/** A date was converted before the first record of the service was read, so its unit was a guess. */
function refuseOtherUnit({ session }: Context, record: JsonObject, asset: unknown): void {
  const sent = unitOf(valueAt(record, 'due.date'));
  const shown = unitOf(valueAt(asset, 'created'));
  if (session.timeUnit() !== 'auto' || !sent || !shown || sent === shown) return;
  const hint = personHint(
    'If they are those of the service',
    words`mar config set time.unit=${shown}`,
  );
  const message = `due.date is in ${sent}, but the times of the asset are in ${shown}`;
  throw usageError(message, nothingSent(hint), { field: 'due.date' });
}

async function readLike(context: Context, input: Input) {
  const id = stringOption(input, 'like');
  return id === undefined ? undefined : (await import('./copy.ts')).copyRequest(context, input, id);
}
