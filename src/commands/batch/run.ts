import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { type RowRules, rowRequest, validateRows } from '../../batch/input/rows.ts';
import { keepInput, openSource, type Source } from '../../batch/input/source.ts';
import { type Binding, checkBinding, describeChange } from '../../batch/journal/format.ts';
import { archiveJournal, Journal } from '../../batch/journal/journal.ts';
import { lockJournal } from '../../batch/journal/journalLock.ts';
import { isInShard, keptInputPath } from '../../batch/journal/journalPaths.ts';
import { replay } from '../../batch/journal/replay.ts';
import { RowStates } from '../../batch/journal/rowStates.ts';
import { buildRequest } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type Edit, editRecord } from '../../records/edit.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import { keepHeapSmall } from '../../values/smallHeap.ts';
import type { Input } from '../command.ts';
import { editRules, readEdits, refuseUnknownCodes } from '../write/body.ts';
import { printRequest } from '../write/dryRun.ts';
import { confirm } from '../write/write.ts';
import { type InvalidRows, writeReport } from './report.ts';
import { resolveRows } from './resolve.ts';
import { printResult, printStatus } from './result.ts';
import { type Batch, pendingRows, sendPending } from './send.ts';
import { type BatchSettings, readSettings } from './settings.ts';

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
  await keepHeapSmall(context.world.nodeVersion);
  const unlock = await lockJournal(settings.journal, context.world.processes);
  let source: Source | undefined;
  try {
    source = await openInput(context, settings);
    await runLocked(context, { input, endpointId, settings, edits }, source);
  } finally {
    await source?.close();
    if (source?.temporary) await rm(source.temporary, { force: true });
    await unlock();
  }
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
  const { journal: path, shard, retryFailed, restart } = settings;
  const rules = await rowRules(context, request);
  const earlier = restart ? undefined : await replay(path);
  const states = earlier?.states ?? new RowStates();
  const isPending = (row: number) => {
    const state = states.get(row);
    return isInShard(row, shard) && (state === 'pending' || (retryFailed && state === 'failed'));
  };
  const invalid = new Map<number, { line: number; problem: string }>();
  const { rows, sha256 } = await validateRows(source, {
    rules,
    isPending,
    signal: context.world.signal,
    onUnknownColumns: (paths) => warnOfUnknownColumns(context, paths),
    onInvalid: ({ number, line }, problem) => invalid.set(number, { line, problem }),
  });
  const binding = bindingOf(context, request, sha256);
  if (earlier) checkBinding(path, earlier.header, binding, rows);
  const messages = invalidMessages(invalid, source.name);
  if (invalid.size > 0 && !settings.skipInvalid) {
    await writeReport(settings.report, invalidLines(invalid));
    const all =
      rows === 1
        ? 'the only row is'
        : `${groupDigits(invalid.size)} of ${groupDigits(rows)} rows are`;
    throw usageError(
      [`${all} not valid`, ...messages].join('\n'),
      'nothing was sent; mend them, or send the others with --skip-invalid',
    );
  }
  for (const row of invalid.keys()) states.set(row, 'invalid');
  const checked = { source, rules, settings, rows, isPending, invalid };
  if (settings.dryRun) return showRequests(context, checked);
  if (rules.endpoint.method === 'PUT' && !settings.yes && context.isInteractive) {
    context.reportOnce(`${plural(rows, 'row')}: what they replace cannot be read first`);
    await confirm(context);
  }
  if (restart && existsSync(path)) {
    context.reportOnce(`the old journal is kept: ${await archiveJournal(path)}`);
  }
  if (source.temporary) await rename(source.temporary, keptInputPath(path));
  const at = context.world.now().toISOString();
  const journal = earlier
    ? await Journal.resume(path, earlier)
    : await Journal.create(path, { ...binding, input: settings.name, rows, at }, states);
  const batch = { ...checked, journal };
  try {
    if (settings.resolve) await resolveRows(context, batch, settings.resolve);
    if (settings.status) return await printResult(context, batch, { isStatus: true });
    for (const message of messages) context.reportOnce(message);
    await printResult(context, batch, await sendPending(context, batch));
  } finally {
    await journal.close();
  }
}

async function rowRules(
  context: Context,
  { input, endpointId, edits }: BatchRequest,
): Promise<RowRules> {
  const endpoint: Endpoint = endpoints[endpointId];
  const rules = await editRules(context, endpoint.body as SchemaName);
  let hasNoted = false;
  const note = (text: string) => {
    if (!hasNoted) context.reportOnce(`${text}; other dates likewise`);
    hasNoted = true;
  };
  const dateRules = { ...rules, note };
  return {
    endpoint,
    bodySchema: rules.schema,
    setDate: (record, path, date) =>
      editRecord(record, [{ kind: 'set', text: `${path}=${date}` }], dateRules),
    edit: (record) => editRecord(record, edits, rules),
    // Codes are checked in new records only, like those of single records.
    check:
      endpoint.method === 'POST'
        ? (record) => refuseUnknownCodes(context, { endpoint: endpointId, input }, record)
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

function warnOfUnknownColumns(context: Context, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const what = paths.length === 1 ? 'the column' : 'the columns';
  const is = paths.length === 1 ? 'is no known field and is' : 'are no known fields and are';
  context.reportOnce(`warning: ${what} ${paths.join(', ')} ${is} sent as text`);
}

/** Nobody reads more of them on a screen; `--report` has all. */
const maxPrintedInvalid = 100;

function invalidMessages(invalid: InvalidRows, inputName: string): string[] {
  const messages = [...invalid]
    .slice(0, maxPrintedInvalid)
    .map(([row, { line, problem }]) => `${inputName}, line ${line} (row ${row}): ${problem}`);
  const more = invalid.size - messages.length;
  if (more > 0) messages.push(`and ${groupDigits(more)} more: --report FILE lists them all`);
  return messages;
}

const invalidLines = (invalid: InvalidRows) =>
  [...invalid].map(([row, { line, problem }]) => ({
    row,
    state: 'invalid',
    message: `line ${line}: ${problem}`,
  }));

async function showRequests(context: Context, batch: Omit<Batch, 'journal'>): Promise<void> {
  const { rules, settings } = batch;
  const { baseUrl } = context.identity();
  let rows = 0;
  for await (const row of pendingRows(batch)) {
    rows += 1;
    if (rows > 1 && !settings.printsRecords) continue;
    await printRequest(context, buildRequest(rules.endpoint, baseUrl, rowRequest(row, rules)));
  }
  const suffix = rows > 1 ? ', each as a request of its own' : '';
  context.reportOnce(`${plural(rows, 'row')} would be sent${suffix}`);
}
