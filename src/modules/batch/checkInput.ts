import { Readable } from 'node:stream';
import { repetitionOf } from '../../core/api/endpoints.ts';
import { assumptionHints } from '../../core/api/service.ts';
import {
  forPerson,
  type Hint,
  hintsOf,
  MarError,
  onCommandLine,
  orUndefined,
  usageError,
} from '../../core/errors.ts';
import { textAt, valueAt } from '../../core/json/fields.ts';
import { ServiceRecord } from '../../core/json/serviceRecord.ts';
import { outcome, type Results } from '../../core/output/result.ts';
import { idOf } from '../../core/records/references.ts';
import type { Row } from '../../core/rows/row.ts';
import { keyOfRecord } from '../../core/rows/rowKey.ts';
import { type InputIdentity, identifyRows, readRows } from '../../core/rows/rows.ts';
import type { Source } from '../../core/rows/source.ts';
import type { Context } from '../../core/session/context.ts';
import { defaultConcurrency, mapConcurrently } from '../../core/values/concurrency.ts';
import { formatOfFile } from '../../core/values/formats.ts';
import { groupDigits, plural } from '../../core/values/numbers.ts';
import { skips } from '../../core/writes/checks.ts';
import { orderLooker } from '../../core/writes/orderLook.ts';
import { usesProblem } from '../../core/writes/orderProblems.ts';
import { sendsAgain } from '../../core/writes/placedBefore.ts';
import { findAsset } from '../../core/writes/translate.ts';
import { batchLog } from './batchLog.ts';
import { goneText } from './journal/format.ts';
import { latestEvent, type ReplayedJournal } from './journal/replay.ts';
import { matchRows, type RemovedRow } from './journal/rowMatcher.ts';
import type { CountedState, RowStates } from './journal/rowStates.ts';
import { type OverviewRow, overviewRow, overviewView, showOverview } from './overview.ts';
import {
  type InvalidRows,
  listProblems,
  messageOf,
  problemLines,
  rowFacts,
} from './report/problems.ts';
import { writeRejects } from './report/rejects.ts';
import {
  checkRemoved,
  goneRows,
  maybeChanged,
  orderPage,
  reportVersions,
} from './report/result.ts';
import type { BatchInput } from './rules.ts';
import type { KnownInput } from './versions.ts';

export type CheckedInput = Awaited<ReturnType<typeof checkInput>>;

/** Validates all pending rows, and finds what happened to the rows of an edited input. */
export async function checkInput(
  context: Context,
  file: BatchInput,
  { keys, hash }: InputIdentity,
  earlier: ReplayedJournal | undefined,
) {
  const { source, settings, input, rules } = file;
  const { skipInvalid, again } = input.options;
  const isSentOnce = repetitionOf(rules.endpoint) === 'once';
  const isSame = earlier?.hash === hash;
  const matcher = isSame ? undefined : matchRows(settings.shard, keys, earlier);
  const { states } = matcher ?? (earlier as ReplayedJournal);
  const sent = statesToSend(again);
  const isPending = pendingTest(states, sent);
  const wasInvalid = new Set(states.rowsIn('invalid'));
  for (const row of wasInvalid) states.set(row, 'pending');
  const found = await findInvalid(context, file, {
    keys,
    journal: earlier,
    isSame,
    states,
    isPending,
  });
  const { invalid, log, look, versions } = found;
  const { placed } = versions;
  const removed = (earlier && matcher?.removedNow) ?? [];
  const isKnown = ({ key }: RemovedRow) => versions.loggedKeys.has(key);
  const unseen = removed.filter((row) => row.state === 'done' && !isKnown(row));
  if (earlier && matcher) {
    checkRemoved(source.name, removed, earlier);
    const open = removed.filter(({ state }) => state !== 'done').length;
    const mayRepeat = matcher.added > open && unseen.length > 0 && isSentOnce;
    const isWanted = sendsAgain(input) || again === 'changed';
    if (mayRepeat && !isWanted) throw maybeChanged(source.name, earlier, unseen);
  }
  if (invalid.size > 0 && !skipInvalid) {
    await writeRejects({ ...file, invalid });
    const skip = onCommandLine('To send the rest, use --skip-invalid.');
    const isPlaced = listProblems(invalid).every(({ earlier: order }) => order);
    const hints = [isPlaced ? 'Nothing was sent.' : 'Nothing was sent. Fix these rows.', skip];
    throw invalidError(context, isPlaced ? 'placed-before' : 'usage', { ...found, source, hints });
  }
  for (const row of invalid.keys()) states.set(row, 'invalid');
  for (const { row, state } of placed) states.set(row, state);
  const counts = states.summarise();
  const sending = sent.reduce((sum, state) => sum + counts[state], 0);
  if (earlier && matcher) {
    const added = plural(matcher.added, 'row');
    const text = `${groupDigits(counts.done)} done, ${added} new or corrected: sending ${groupDigits(sending)}`;
    context.reporter.reportOnce(text);
  }
  const gone = [...versions.gone, ...(earlier && isOrder(file) ? goneRows(earlier, unseen) : [])];
  reportVersions(context, source.name, placed, gone);
  const newlyInvalid = new Map([...invalid].filter(([row]) => !wasInvalid.has(row)));
  return { ...file, isPending, sending, invalid, newlyInvalid, states, log, look, placed, gone };
}

/** The states of the rows that a run sends. */
function statesToSend(again: unknown): CountedState[] {
  if (again === 'failed') return ['pending', 'failed', 'conflict'];
  if (again === 'changed') return ['pending', 'changed'];
  return again === true ? ['pending', 'changed', 'unchanged'] : ['pending'];
}

/** A function of its own: a closure of `checkInput` would keep the keys of all rows in memory. */
const pendingTest = (states: RowStates, sent: readonly string[]) => (row: number) =>
  sent.includes(states.get(row));

/** Only an order lasts without its row: a change of a record is not taken back. */
const isOrder = ({ endpointId }: BatchInput) => endpointId === 'workRequestCreate';

type FoundRows = Awaited<ReturnType<typeof findInvalid>>;

/** Reads an input to its end, before anything is sent. */
async function findInvalid(
  context: Context,
  file: BatchInput,
  known: KnownInput & {
    states: RowStates;
    /** False for a row that is done, or in another shard: it is not checked. */
    isPending(row: number): boolean;
    /** False for a row that the journal has as sent. */
    isCompared?(row: number): boolean;
  },
) {
  const { input, rules, settings, source, template, undone } = file;
  const { options } = input;
  const { signal } = context.world;
  const { keys, states, isPending, isCompared = () => true } = known;
  const log = await batchLog(context, file, known);
  const invalid: InvalidRows = new Map();
  const { resource } = rules.endpoint;
  const assetField = resource === 'Asset' ? '_id' : 'asset';
  const named: { id: string; items: unknown; row: number; line: number; cell?: string }[] = [];
  const lines: number[] = [];
  const isLooked = isOrder(file) && (options.check || context.reporter.isInteractive);
  const look: OverviewRow[] | undefined = isLooked ? [] : undefined;
  // A person sees the names of the assets.
  const mayAsk = context.reporter.isInteractive && orUndefined(() => context.session.identity());
  const verifiesIds = options.verifyIds || (look && mayAsk && !options.skipChecks);
  const firstLike =
    repetitionOf(rules.endpoint) === 'once' && !sendsAgain(input) ? equalRowFinder() : undefined;
  const lookAt = orderLooker(context);
  let rows = 0;
  for await (const row of readRows(source, rules, signal)) {
    if (signal.aborted) throw signal.reason;
    if (!source.isTable && formatOfFile(settings.rejects ?? '') === 'xlsx') {
      const facts = { flag: '--rejects', value: settings.rejects };
      throw usageError('--rejects writes a workbook only for a table, not for JSON rows', facts);
    }
    rows = row.number;
    const key = keys[rows - 1];
    if (key !== undefined && !isPending(rows)) {
      // Its record is not read, so its key has to do.
      firstLike?.(row, key);
      const isElsewhere = states.get(rows) === 'elsewhere' && isOrder(file) && !known.isSame;
      const moved = isElsewhere && (await rules.request(row).catch(() => undefined));
      if (moved) log.add(rows, moved.body, true);
      continue;
    }
    const { problems, body, translated } = await rules.review(row);
    const place = { row: rows, line: row.line };
    lines[rows] = row.line;
    if (body && problems.length === 0) {
      const first = firstLike?.(row, keyOfRecord(body), key);
      if (first !== undefined) {
        problems.push({ ...place, message: `duplicate of ${first}`, hint: duplicatesHint });
      } else if (isCompared(rows)) log.add(rows, body);
    }
    const id = verifiesIds && idOf(body?.get(assetField));
    if (look && look.length < maxLooked) look.push(overviewRow(row, lookAt(body), translated));
    if (problems.length > 0) invalid.set(rows, problems);
    else if (typeof id === 'string') {
      const items = isOrder(file) && !skips(input, 'asset') && valueAt(body, 'uses.items');
      named.push({ id, items, ...place, cell: row.cellOf?.(assetField) });
    }
  }
  const { message, fields } = template?.warning ?? {};
  if (message !== undefined) context.reporter.warn('other-language', message, fields);
  if (rows === 0 && !options.allowEmpty) throw emptyError(source, undone !== undefined);
  const ids = new Set(named.map(({ id }) => id));
  const assets =
    options.verifyIds || ids.size <= maxRead ? await readAssets(context, ids) : undefined;
  for (const { id, items, ...place } of assets ? named : []) {
    const asset = assets?.get(id);
    const missing = { field: assetField, message: `asset ${id}: not found in the service` };
    const problem = asset ? usesProblem(id, items, asset, context.session.service()) : missing;
    if (problem) invalid.set(place.row, [{ ...place, ...problem }]);
  }
  const compared = log.versions();
  const ordered = known.isSame ? (known.journal?.gone ?? []) : compared.gone;
  const versions = { ...compared, gone: isOrder(file) ? ordered : [] };
  for (const problem of versions.problems) {
    const { row } = problem;
    invalid.set(row, [...(invalid.get(row) ?? []), { ...problem, line: lines[row] ?? 0 }]);
  }
  const again = versions.again?.map((one) => ({ ...one, state: 'again' })) ?? [];
  const placed = new Map([...versions.placed, ...again].map((one) => [one.row, one]));
  for (const one of look ?? []) {
    const problems = invalid.get(one.row);
    one.name = assets?.get(one.asset)?.name;
    one.problem = problems && messageOf(problems);
    Object.assign(one, problems ? { state: 'invalid' } : placed.get(one.row));
  }
  return { rows, invalid, log, look, versions };
}

const duplicatesHint = forPerson('To send the duplicates too, use --again.');

/** Finds rows that would send the same record as a row before them: an order that is placed twice. */
function equalRowFinder() {
  /** The first row of each key. */
  const rows = new Map<string, number>();
  const lines: number[] = [];
  /** `row 3 (line 4)`: the first row with the key, or else with the key of a row that was not checked. */
  return ({ number, line }: Row, key: string, unchecked = key): string | undefined => {
    const first = rows.get(unchecked) ?? rows.get(key);
    if (first !== undefined) return `row ${first} (line ${lines[first]})`;
    rows.set(key, number);
    lines[number] = line;
    return undefined;
  };
}

function invalidError(
  context: Context,
  kind: 'usage' | 'placed-before' | 'batch',
  {
    rows,
    invalid,
    source,
    hints,
  }: FoundRows & { source: Source; hints: readonly (string | Hint)[] },
): MarError {
  const problems = listProblems(invalid);
  const all = `${plural(rows, 'row')} in ${source.name}`;
  const message = `${groupDigits(invalid.size)} of ${all} ${invalid.size === 1 ? 'is' : 'are'} invalid`;
  const lines = problemLines(
    invalid,
    ({ row, line, cell, message: problem }) => `row ${row} (${cell ?? `line ${line}`}): ${problem}`,
  );
  return new MarError(kind, [message, ...(context.flags.hasJsonErrors ? [] : lines)].join('\n'), {
    hint: [...hints, ...hintsOf(problems), ...assumptionHints(problems)],
    rows: rowFacts(problems),
    rowCount: invalid.size,
    ...(kind !== 'batch' && !source.temporary && { flag: '--batch', value: source.name }),
  });
}

function emptyError({ name }: Source, isUndo: boolean): MarError {
  if (isUndo) return usageError(`${name} has no changes to undo`, 'Nothing was sent.');
  const hint = onCommandLine('Nothing was sent. If an input may be empty, use --allow-empty.');
  return usageError(`${name} has no rows`, hint, { flag: '--batch', value: name });
}

/** Validates a file for `--check`: every row of the shard, done ones too. Writes no journal. */
export async function* checkFile(
  context: Context,
  file: BatchInput,
  journal: ReplayedJournal | undefined,
): Results {
  const { source, rules, settings } = file;
  const { keys, hash } = await identifyRows(source, rules, context.world.signal);
  const isSame = journal?.hash === hash;
  const { states } = isSame ? journal : matchRows(settings.shard, keys, journal);
  const isCompared = (row: number) => states.get(row) === 'pending' || journal === undefined;
  const isPending = (row: number) => states.get(row) !== 'elsewhere';
  const known = { keys, journal, isSame, states, isPending, isCompared };
  const found = await findInvalid(context, file, known);
  const { invalid, look, versions } = found;
  const { rows, done, unchanged, changed } = states.summarise();
  const { placed, gone } = versions;
  await writeRejects({ ...file, invalid });
  const page = orderPage(context);
  for (const one of look ?? []) {
    const state = states.get(one.row);
    // A run checks these again, and leaves all others alone.
    if (journal && !/^(?:pending|invalid|elsewhere)$/.test(state)) {
      const { id, message } = latestEvent({ path: journal.path, states }, one.row);
      Object.assign(one, { state: state === 'done' ? 'unchanged' : state, id, message });
    }
    one.page = page(one.id);
  }
  const goneLook = gone.map(({ place, ...order }) => {
    const [asset, language, territory] = place.split(' ');
    return {
      asset,
      language,
      territory,
      state: 'gone',
      ...order,
      message: `${goneText}: ${order.message}`,
      page: page(order.id),
    };
  });
  const valid = rows - invalid.size;
  const inState = (state: string) => placed.filter((one) => one.state === state).length;
  const compared = {
    unchanged: done + unchanged + inState('unchanged'),
    changed: changed + inState('changed'),
    gone: gone.length,
  };
  const counts = Object.entries({ valid, invalid: invalid.size, ...compared })
    .filter(([state, count]) => state === 'valid' || count > 0)
    .map(([state, count]) => `${groupDigits(count)} ${state}`);
  yield* showOverview(context, look);
  const orders = look && [...look, ...goneLook];
  const records = orders?.map((row) => ServiceRecord.fromValue(row));
  yield outcome(
    { rows, valid, invalid: invalid.size, ...compared, invalidRows: [...invalid.keys()], orders },
    `${plural(rows, 'row')}: ${counts.join(', ')}`,
    records && { rows: { records, view: overviewView } },
  );
  reportVersions(context, source.name, placed, gone);
  if (invalid.size === 0) return;
  throw invalidError(context, 'batch', { ...found, ...file, hints: ['Nothing was sent.'] });
}

/** A person waits for the names of this many assets, but not of more. */
const maxRead = 100;
/** Nobody looks at more rows, and they are all in memory. */
const maxLooked = 20_000;

/** Asks the service for each asset once. */
async function readAssets(context: Context, ids: ReadonlySet<string>) {
  const assets = new Map<string, { usage: unknown; name: string }>();
  const read = async (id: string) => {
    const asset = await findAsset(context, id);
    if (asset) assets.set(id, { usage: valueAt(asset, 'usage'), name: textAt(asset, 'name') });
  };
  const concurrency = context.session.settings.concurrency ?? defaultConcurrency.reads;
  for await (const { error } of mapConcurrently(Readable.from(ids), concurrency, read)) {
    if (error) throw error;
  }
  return assets;
}
