import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type Endpoint, type EndpointId, endpoints, type SchemaName } from '../../api/endpoints.ts';
import { isTime, schemas } from '../../api/schemas.ts';
import { keepInput, openSource, type Source } from '../../batch/input/source.ts';
import {
  type Binding,
  changeOf,
  checkBinding,
  journalVersion,
} from '../../batch/journal/format.ts';
import { Journal, setAside } from '../../batch/journal/journal.ts';
import { type Replayed, replay } from '../../batch/journal/replay.ts';
import { RowStates } from '../../batch/journal/states.ts';
import { lockJournal } from '../../batch/journalLock.ts';
import { isInShard, keptInputOf } from '../../batch/journalPaths.ts';
import { rowCount } from '../../batch/summary.ts';
import { parcelOf, type Rules, type Survey, survey } from '../../batch/survey.ts';
import { buildRequest } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { type Edit, editRecord } from '../../records/edit.ts';
import { keepHeapSmall } from '../../values/smallHeap.ts';
import type { Input } from '../command.ts';
import { readEdits, refuseUnknownCodes } from '../write/body.ts';
import { confirm } from '../write/confirm.ts';
import { printRequest } from '../write/dryRun.ts';
import { InvalidRows, refuseInvalid } from './invalidRows.ts';
import { printsRecords } from './progress.ts';
import { type Batch, rowsToSend, sendRows } from './send.ts';
import { type BatchSettings, readSettings } from './settings.ts';

/** Writes many records in one run: each row once, however often the run is broken off. */
export async function runBatch(
  context: Context,
  input: Input,
  endpointId: EndpointId,
): Promise<void> {
  const settings = readSettings(context, input);
  if (settings.status && settings.resolve === undefined) {
    const { tellStatus } = await import('./result.ts');
    return tellStatus(context, settings);
  }
  const edits = await readEdits(context, input);
  await keepHeapSmall(context.world.nodeVersion);
  const unlock = await lockJournal(settings.journal, context.world.processes);
  let source: Source | undefined;
  try {
    source = await openInput(context, settings);
    await runOn(source, context, settings, { input, endpointId, edits });
  } finally {
    await source?.close();
    if (source?.temporary) await rm(source.temporary, { force: true });
    await unlock();
  }
}

/** What comes on standard input is kept beside the journal, for the next run to look at. */
async function openInput({ streams }: Context, settings: BatchSettings): Promise<Source> {
  const { file, name, journal, resolve } = settings;
  if (file !== '-') return openSource(file);
  if (resolve !== undefined) {
    const kept = keptInputOf(journal);
    return openSource(kept, existsSync(kept) ? name : kept);
  }
  return keepInput(streams.stdin, keptInputOf(journal), name);
}

interface Asked {
  input: Input;
  endpointId: EndpointId;
  edits: readonly Edit[];
}

async function runOn(
  source: Source,
  context: Context,
  settings: BatchSettings,
  asked: Asked,
): Promise<void> {
  const { shard, retryFailed, restart } = settings;
  const rules = rulesOf(context, asked);
  const before = restart ? undefined : await replay(settings.journal);
  const states = before?.states ?? new RowStates();
  const isWanted = (row: number) => {
    const state = states.get(row);
    return isInShard(row, shard) && (state === 'left' || (retryFailed && state === 'failed'));
  };
  const invalid = new InvalidRows(source.name);
  const found = await survey(source, {
    rules,
    isWanted,
    signal: context.world.signal,
    onUnknownColumns: (paths) => tellUnknown(context, paths),
    onInvalid: ({ number, line }, problem) => invalid.add(number, line, problem),
  });
  const binding = bindingOf(context, settings, asked, found);
  if (before) checkBinding(settings.journal, before.header, binding, found.rows);
  if (invalid.count > 0 && !settings.skipInvalid) {
    await refuseInvalid(invalid, found.rows, settings);
  }
  for (const row of invalid.numbers) states.set(row, 'invalid');
  const isSent = (row: number) => isWanted(row) && states.get(row) !== 'invalid';
  if (settings.dryRun) return showRows(context, source, rules, isSent);
  if (rules.endpoint.method === 'PUT' && !settings.yes && context.isInteractive) {
    context.note(`${rowCount(found.rows)}: what they replace cannot be read first`);
    await confirm(context);
  }
  const journal = await openJournal(context, settings, {
    source,
    before,
    binding,
    found,
    states,
  });
  try {
    const batch: Batch = { source, rules, settings, journal, rows: found.rows, isSent, invalid };
    await sendRows(context, batch);
  } finally {
    await journal.close();
  }
}

function rulesOf(context: Context, { input, endpointId, edits }: Asked): Rules {
  const endpoint: Endpoint = endpoints[endpointId];
  const schema = schemas[endpoint.body as SchemaName]();
  const rules = {
    schema,
    isTime,
    timeUnit: context.settings.timeUnit ?? 'auto',
    note: (text: string) => context.note(text),
  };
  let hasTold = false;
  const noteOnce = (text: string) => {
    if (!hasTold) context.note(`${text}; other dates likewise`);
    hasTold = true;
  };
  return {
    endpoint,
    schema,
    setDate: (record, path, date) =>
      editRecord(record, [{ kind: 'set', text: `${path}=${date}` }], { ...rules, note: noteOnce }),
    edit: (record) => editRecord(record, edits, rules),
    // As for a record of its own: what is new is checked, what is replaced is as the service has it.
    check:
      endpoint.method === 'POST'
        ? (record) => refuseUnknownCodes(context, { endpoint: endpointId, input }, record)
        : undefined,
  };
}

function bindingOf(
  context: Context,
  { shard }: BatchSettings,
  { endpointId, edits }: Asked,
  { sha256 }: Survey,
): Binding {
  const { method, path } = endpoints[endpointId];
  const { origin, baseUrl, email } = context.identity();
  return {
    command: `${method} ${path}`,
    origin,
    baseUrl: baseUrl.href,
    account: email,
    changes: edits.map(changeOf),
    shard: `${shard.index}/${shard.count}`,
    sha256,
  };
}

async function openJournal(
  context: Context,
  settings: BatchSettings,
  known: {
    source: Source;
    before?: Replayed;
    binding: Binding;
    found: Survey;
    states: RowStates;
  },
): Promise<Journal> {
  const { source, before, binding, found, states } = known;
  const { journal, name, restart } = settings;
  if (restart && existsSync(journal)) {
    context.note(`the old journal is kept: ${await setAside(journal)}`);
  }
  if (source.temporary) await rename(source.temporary, keptInputOf(journal));
  if (before) return Journal.goOn(journal, before);
  const { rows } = found;
  const at = context.world.now().toISOString();
  return Journal.begin(
    journal,
    { journal: 'mar', version: journalVersion, ...binding, input: name, rows, at },
    states,
  );
}

function tellUnknown(context: Context, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const what = paths.length === 1 ? 'the column' : 'the columns';
  const is = paths.length === 1 ? 'is no known field and is' : 'are no known fields and are';
  context.note(`warning: ${what} ${paths.join(', ')} ${is} sent as text`);
}

/** Shows what would be sent: the first request, or with `--jsonl` all of them. */
async function showRows(
  context: Context,
  source: Source,
  rules: Rules,
  isSent: (row: number) => boolean,
): Promise<void> {
  const { baseUrl } = context.identity();
  let rows = 0;
  for await (const row of rowsToSend(source, rules, isSent)) {
    rows += 1;
    if (rows > 1 && !printsRecords(context)) continue;
    await printRequest(context, buildRequest(rules.endpoint, baseUrl, parcelOf(row, rules)));
  }
  context.note(
    `${rowCount(rows)} would be sent${rows > 1 ? ', each as a request of its own' : ''}`,
  );
}
