import { existsSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { describeUnknown, unknownInPath } from '../../api/unknownFields.ts';
import { keyOf } from '../../batch/input/rowKey.ts';
import { hashOf, type RowRules, rowRequest, validateRows } from '../../batch/input/rows.ts';
import { keepInput, openSource, type Source } from '../../batch/input/source.ts';
import type { TableOptions } from '../../batch/input/tableRows.ts';
import { type Binding, checkBinding, describeChange } from '../../batch/journal/format.ts';
import { archiveJournal, Journal } from '../../batch/journal/journal.ts';
import { lockJournal } from '../../batch/journal/journalLock.ts';
import { keptInputPath } from '../../batch/journal/journalPaths.ts';
import { type ReplayedJournal, replay } from '../../batch/journal/replay.ts';
import type { RowKeys } from '../../batch/journal/rowKeys.ts';
import { type InputChanges, RowMatcher } from '../../batch/journal/rowMatcher.ts';
import type { RowStates } from '../../batch/journal/rowStates.ts';
import { buildRequest } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, type RowProblem, usageError } from '../../errors.ts';
import { parsePath } from '../../json/path.ts';
import { type Edit, editRecord } from '../../records/edit.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import { keepHeapSmall } from '../../values/smallHeap.ts';
import type { Input } from '../command.ts';
import { codeProblems, editRules, namesReviewer, readEdits } from '../write/body.ts';
import { printRequest } from '../write/dryRun.ts';
import { confirm, noDiffNote } from '../write/write.ts';
import { writeRejects } from './rejects.ts';
import {
  type InvalidRows,
  invalidLines,
  listProblems,
  maxListedProblems,
  messageOf,
  writeReport,
} from './report.ts';
import { resolveRows } from './resolve.ts';
import { checkRemoved, describeChanges, notStarted, printResult } from './result.ts';
import { type Batch, pendingRows, sendPending } from './send.ts';
import { type BatchSettings, readSettings } from './settings.ts';
import { printStatus } from './status.ts';

interface BatchRequest {
  input: Input;
  endpointId: EndpointId;
  settings: BatchSettings;
  edits: readonly Edit[];
}

/** Writes many records, each exactly once, even if the run is interrupted and resumed. */
export async function runBatch(
  context: Context,
  input: Input,
  endpointId: EndpointId,
): Promise<void> {
  const settings = readSettings(context, input);
  if (settings.status && settings.resolve === undefined) return printStatus(context, settings);
  const edits = await readEdits(context, input);
  const unlock = await lockJournal(settings.journal, context.world.processes);
  const restoreHeap = await keepHeapSmall(context.world.nodeVersion);
  let source: Source | undefined;
  try {
    source = await openInput(context, settings);
    await runLocked(context, { input, endpointId, settings, edits }, source);
  } finally {
    await source?.close();
    if (source?.temporary) await rm(source.temporary, { force: true });
    await unlock();
    restoreHeap();
  }
  if (settings.status) await printStatus(context, settings);
}

async function openInput({ streams }: Context, settings: BatchSettings): Promise<Source> {
  const { file, name, journal, resolve } = settings;
  if (file !== '-') return openSource(file);
  const kept = keptInputPath(journal);
  if (resolve !== undefined) return openSource(kept, existsSync(kept) ? name : kept);
  return keepInput(streams.stdin, kept, name);
}

async function runLocked(context: Context, request: BatchRequest, source: Source): Promise<void> {
  const { settings } = request;
  const { journal: path, restart, dryRun } = settings;
  const { signal } = context.world;
  const rules = await rowRules(context, request);
  const earlier = restart ? undefined : await replay(path);
  const restarted = restart ? await readRestarted(path) : undefined;
  const binding = bindingOf(context, request, await hashOf(source, signal));
  if (earlier) {
    earlier.states.markInterrupted();
    checkBinding(path, earlier, binding);
  } else if (settings.resolve) throw notStarted(path);
  let journal = earlier && !dryRun ? await Journal.resume(path, earlier) : undefined;
  try {
    if (earlier && journal && settings.resolve) {
      await resolveRows(context, { source, rules, journal, known: earlier }, settings.resolve);
    }
    if (settings.status) return;
    const checked = await checkInput(context, { request, rules, source, earlier, binding });
    if (dryRun) return await showRequests(context, checked);
    await confirmRun(context, checked, restarted);
    if (restart && existsSync(path)) {
      context.reportOnce(`The old journal is kept as ${await archiveJournal(path)}`);
    }
    if (source.temporary) await rename(source.temporary, keptInputPath(path));
    const { rows, invalid, keys, states } = checked;
    const facts = { rows, sha256: binding.sha256, at: context.world.now().toISOString() };
    if (!journal) {
      const header = { ...binding, input: settings.name, ...facts };
      journal = await Journal.create(path, header, { states, keys: keys as RowKeys });
    } else if (keys) await journal.startInput({ states, keys }, facts);
    for (const [row, { problems }] of checked.newlyInvalid) {
      const message = context.world.redactor.clean(messageOf(problems));
      journal.append({ row, event: 'invalid', message });
    }
    const skipped = ({ row, line, message }: RowProblem) =>
      `Row ${row} (line ${line}) skipped: ${message}`;
    for (const text of problemLines(invalid, skipped)) context.reportOnce(text, 'essential');
    const batch = { ...checked, journal };
    await printResult(context, batch, await sendPending(context, batch));
  } finally {
    await journal?.close();
  }
}

interface UncheckedInput {
  request: BatchRequest;
  rules: BatchRules;
  source: Source;
  earlier: ReplayedJournal | undefined;
  binding: Binding;
}

/** Validates all pending rows, and finds what happened to the rows of an edited input. */
async function checkInput(
  context: Context,
  { request: { settings }, rules, source, earlier, binding }: UncheckedInput,
): Promise<CheckedInput> {
  const { shard, retryFailed } = settings;
  const isEdited = earlier !== undefined && earlier.sha256 !== binding.sha256;
  // Journals of earlier versions get the keys of their rows now; the shards of theirs have none.
  const hasKeys = earlier && !isEdited && (earlier.keys !== undefined || shard.count > 1);
  const matcher = hasKeys ? undefined : new RowMatcher(shard, isEdited ? earlier : undefined);
  const states = earlier && !isEdited ? earlier.states : (matcher as RowMatcher).states;
  const isPending = (row: number) => {
    const state = states.get(row);
    return state === 'pending' || (retryFailed && state === 'failed');
  };
  const invalid: InvalidRows = new Map();
  const newlyInvalid: InvalidRows = new Map();
  const wasInvalid = new Set<number>();
  const rows = await validateRows(source, {
    rules,
    signal: context.world.signal,
    onUnknownColumns: rules.onUnknownColumns,
    mustCheck({ number, original }) {
      matcher?.add(keyOf(original));
      if (states.get(number) === 'invalid') {
        wasInvalid.add(number);
        states.set(number, 'pending');
      }
      return isPending(number);
    },
    onInvalid({ number, line }, problems) {
      invalid.set(number, { line, problems });
      if (!wasInvalid.has(number)) newlyInvalid.set(number, { line, problems });
    },
  });
  if (rows === 0 && !settings.allowEmpty) {
    const hint = 'Nothing was sent. If an input may be empty, use --allow-empty.';
    throw usageError(`${source.name} has no rows`, hint);
  }
  const changes = isEdited ? matcher?.changes : undefined;
  if (earlier && changes) checkRemoved(source.name, changes, earlier.at);
  if (invalid.size > 0 && !settings.skipInvalid) {
    await writeReport(settings.report, invalidLines(invalid));
    await writeRejects(settings.rejects, { source, rules, invalid });
    throw invalidError(context, invalid, `${plural(rows, 'row')} in ${source.name}`);
  }
  for (const row of invalid.keys()) states.set(row, 'invalid');
  if (changes) {
    const counts = states.summarise(rows);
    const sending = counts.pending + (retryFailed ? counts.failed : 0);
    for (const line of describeChanges(source.name, { changes, counts, sending })) {
      context.reportOnce(line);
    }
  }
  const { keys } = matcher ?? {};
  const checked = { source, rules, settings, rows, isPending, invalid };
  return { ...checked, newlyInvalid, keys, states, changes };
}

interface CheckedInput extends Omit<Batch, 'journal'> {
  newlyInvalid: InvalidRows;
  /** Only if the journal does not have them yet. */
  keys: RowKeys | undefined;
  states: RowStates;
  changes: InputChanges | undefined;
}

/** Says how many done rows --restart would send again. */
async function readRestarted(journal: string): Promise<string | undefined> {
  const replayed = await replay(journal).catch((error) => {
    if (statSync(journal).isFile()) return 'unreadable' as const;
    throw error;
  });
  if (replayed === undefined) return undefined;
  if (replayed === 'unreadable') {
    return `--restart sends every row again, and ${journal} cannot be read to say which are done`;
  }
  const { done } = replayed.states.summarise(replayed.rows);
  return done > 0 ? `--restart sends ${plural(done, 'done row')} again` : undefined;
}

async function confirmRun(
  context: Context,
  { rules, settings, rows, changes, source }: CheckedInput,
  restarted: string | undefined,
): Promise<void> {
  if (settings.yes) return;
  const isCreate = rules.endpoint.method === 'POST';
  const questions: string[] = [];
  if (restarted !== undefined) questions.push(restarted);
  const changedDone = changes?.changedDone ?? 0;
  if (isCreate && changedDone > 0) {
    const which = `${plural(changedDone, 'row')} in ${source.name}`;
    questions.push(`${which} changed after the record was created, and would create another one`);
  }
  if (questions.length > 0 && !context.isInteractive) {
    const instead = restarted
      ? 'Leave out --restart to send only rows that are not done'
      : 'Restore these rows and change the records themselves';
    throw usageError(
      questions.join('\n'),
      `Nothing was sent. ${instead}, or add --yes to send them all the same.`,
    );
  }
  if (!isCreate) questions.push(`Writing ${plural(rows, 'record')}. ${noDiffNote}`);
  if (questions.length === 0 || !context.isInteractive) return;
  for (const question of questions) context.reportOnce(question, 'essential');
  await confirm(context);
}

type BatchRules = RowRules & Required<Pick<TableOptions, 'onUnknownColumns'>>;

async function rowRules(
  context: Context,
  { input, endpointId, edits }: BatchRequest,
): Promise<BatchRules> {
  const endpoint: Endpoint = endpoints[endpointId];
  const rules = await editRules(context, endpoint.body as SchemaName);
  const problemsWithNames = await namesReviewer(context, endpointId);
  const unknownColumns = new Set<string>();
  let hasNoted = false;
  const note = (text: string) => {
    if (!hasNoted) context.reportOnce(`${text}; same for the other dates`);
    hasNoted = true;
  };
  const dateRules = { ...rules, note };
  return {
    endpoint,
    bodySchema: rules.schema,
    setDate: (record, path, date) =>
      editRecord(record, [{ kind: 'set', text: `${path}=${date}` }], dateRules),
    edit: (record) => editRecord(record, edits, dateRules, {}),
    onUnknownColumns(paths) {
      warnOfUnknownColumns(context, paths, rules.schema);
      // Without their indexes, like the paths of unknown fields.
      for (const path of paths) unknownColumns.add(path.replaceAll(/\[\d+\]/g, '[]'));
    },
    checkNames: (record) => problemsWithNames(record, unknownColumns),
    // Codes are checked in new records only, like those of single records.
    check:
      endpoint.method === 'POST'
        ? (record) => codeProblems(context, { endpoint: endpointId, input }, record)
        : undefined,
  };
}

function bindingOf(
  context: Context,
  { endpointId, edits, settings: { shard } }: BatchRequest,
  sha256: string,
): Binding {
  const { method, path } = endpoints[endpointId];
  const { origin, baseUrl, email } = context.identity();
  return {
    command: `${method} ${path}`,
    origin,
    baseUrl: baseUrl.href,
    account: email,
    changes: edits.map(describeChange),
    shard: `${shard.index}/${shard.count}`,
    sha256,
  };
}

function warnOfUnknownColumns(
  context: Context,
  paths: readonly string[],
  schema: RowRules['bodySchema'],
): void {
  const unknown = paths.map((path) => {
    const { meant } = unknownInPath(schema, parsePath(path)) ?? {};
    return { path, meant };
  });
  const [first, ...others] = unknown.map((one) => describeUnknown('column', one));
  if (first !== undefined && context.flags.strict) {
    throw usageError(
      [first, ...others].join('\n'),
      'Nothing was sent. Without --strict, they are sent.',
    );
  }
  for (const one of unknown) {
    context.reportOnce(`warning: ${describeUnknown('column', one, ', sent as a string')}`);
  }
}

function invalidError(context: Context, invalid: InvalidRows, all: string): MarError {
  const message = `${groupDigits(invalid.size)} of ${all} ${invalid.size === 1 ? 'is' : 'are'} invalid`;
  const lines = problemLines(
    invalid,
    ({ row, line, message: problem }) => `row ${row} (line ${line}): ${problem}`,
  );
  return new MarError('usage', [message, ...(context.hasJsonErrors ? [] : lines)].join('\n'), {
    hint: 'Nothing was sent. Fix these rows, or use --skip-invalid to send the rest.',
    rows: listProblems(invalid).slice(0, maxListedProblems),
    rowCount: invalid.size,
  });
}

function problemLines(invalid: InvalidRows, describe: (problem: RowProblem) => string): string[] {
  const problems = listProblems(invalid);
  const lines = problems.slice(0, maxListedProblems).map(describe);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`${groupDigits(more)} more; use --report FILE to list them all`);
  return lines;
}

async function showRequests(context: Context, batch: Omit<Batch, 'journal'>): Promise<void> {
  const { rules, settings } = batch;
  const { baseUrl } = context.identity();
  let rows = 0;
  for await (const row of pendingRows(batch)) {
    rows += 1;
    if (rows > 1 && !settings.printsRecords) continue;
    await printRequest(context, buildRequest(rules.endpoint, baseUrl, rowRequest(row, rules)));
  }
  const suffix = rows > 1 ? ', one request per row' : '';
  context.reportOnce(`Would send ${plural(rows, 'row')}${suffix}`);
}
