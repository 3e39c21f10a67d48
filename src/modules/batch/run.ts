import { hash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { resourceNoun } from '../../core/api/endpoints.ts';
import { hideSecrets, isSecretPath, mayHoldSecret } from '../../core/api/secretFields.ts';
import {
  forPerson,
  orUndefined,
  type RowProblem,
  usageError,
  withFacts,
} from '../../core/errors.ts';
import type { Lock } from '../../core/files/lock.ts';
import { redacted } from '../../core/json/hideFields.ts';
import { printJson } from '../../core/json/value.ts';
import type { Result, Results } from '../../core/output/result.ts';
import { type Edit, pathOf } from '../../core/records/setFields.ts';
import { identifyRows } from '../../core/rows/rows.ts';
import { keepInput, openSource, type Source } from '../../core/rows/source.ts';
import type { Context } from '../../core/session/context.ts';
import { plural } from '../../core/values/numbers.ts';
import { reportRemarks } from '../../core/writes/apply.ts';
import { confirm, leftOutRemarks, noDiffNote } from '../../core/writes/review.ts';
import { type CheckedInput, checkFile, checkInput } from './checkInput.ts';
import { rowsToSend } from './dryRun.ts';
import { type Binding, checkBinding, commandOf, type JournalHeader } from './journal/format.ts';
import { archiveJournal, createJournal, lockJournal, resumeJournal } from './journal/journal.ts';
import { keptInputPath } from './journal/journalPaths.ts';
import { isJournal, replay, replayExisting } from './journal/replay.ts';
import { showOverview } from './overview.ts';
import { messageOf, problemLines } from './report/problems.ts';
import { batchResult } from './report/result.ts';
import { rowsReport } from './report/status.ts';
import {
  type BatchCommand,
  type BatchInput,
  type BatchRequest,
  readRequest,
  rowRules,
} from './rules.ts';
import { type Batch, sendPending } from './send.ts';

/** Writes many records, none twice on its own, even if the run is interrupted and resumed. */
export async function* runBatch(context: Context, command: BatchCommand): Results {
  const request = await readRequest(context, command);
  const { input, settings } = request;
  const { check, dryRun } = input.options;
  const isCheck = check === true;
  if (!isCheck && !dryRun) context.session.refuseReadOnly();
  const lock = isCheck ? undefined : await lockJournal(settings.journal);
  try {
    const source = await openInput(context, request);
    try {
      const rules = await rowRules(context, request);
      const batch = { ...request, source, rules };
      if (lock) yield* runLocked(context, batch, lock);
      else yield* checkFile(context, batch, earlierJournal(context, batch));
    } finally {
      await source.close();
    }
  } finally {
    lock?.release();
  }
}

/** For `--check`, which needs no account. With one, a journal of another service is refused as by a run. */
function earlierJournal(context: Context, batch: BatchInput) {
  const { journal: path } = batch.settings;
  if (!isJournal(path)) return undefined;
  const journal = replayExisting(path);
  const binding = orUndefined(() => bindingOf(context, batch));
  if (binding && batch.input.options.again !== 'all') checkBinding(path, journal.header, binding);
  return journal;
}

async function openInput({ world }: Context, request: BatchRequest): Promise<Source> {
  const { madeRows, settings } = request;
  const { file, name, journal } = settings;
  if (file !== '-') return withFacts({ flag: '--batch', value: file }, () => openSource(file));
  const rows = madeRows ? Readable.from(madeRows) : world.streams.stdin;
  return keepInput(rows, keptInputPath(journal), name);
}

async function* runLocked(context: Context, file: BatchInput, lock: Lock): Results {
  const batch = yield* startBatch(context, file, lock);
  if (!batch) return;
  try {
    yield* batchResult(context, batch, yield* sendPending(context, batch), rowsReport);
  } finally {
    await batch.journal.close();
  }
}

/**
 * Checks the input and writes it to the journal. Returns nothing if no row is to be sent. Separate from
 * sending, so that the keys of all rows do not stay in memory until the last row is sent.
 */
async function* startBatch(
  context: Context,
  file: BatchInput,
  lock: Lock,
): AsyncGenerator<Result, Batch | undefined> {
  const { reporter, world } = context;
  const { settings, rules, source } = file;
  const { journal: path } = settings;
  const { again, dryRun } = file.input.options;
  const identity = await identifyRows(source, rules, world.signal);
  const binding = bindingOf(context, file);
  const replayed = again === 'all' ? undefined : replay(path);
  const earlier = replayed && isOtherUndo(replayed.header, binding) ? undefined : replayed;
  if (earlier) {
    earlier.states.markInterrupted();
    checkBinding(path, earlier.header, binding);
  }
  let journal = earlier && !dryRun ? resumeJournal(earlier, lock) : undefined;
  try {
    const checked = await checkInput(context, file, identity, earlier);
    const { states } = checked;
    const { keys, hash, hasSecrets } = identity;
    const at = world.now().toISOString();
    const facts = { rows: keys.length, hash, at, gone: checked.gone };
    const isSameInput = earlier?.hash === hash;
    if (hasSecrets && states.summarise().done > 0) reporter.reportOnce(passwordNote);
    const { changes, endpoint, sentFields } = rules;
    if (checked.sending > 0 && !changes && endpoint.method === 'PUT') {
      const what = plural(checked.sending, resourceNoun(endpoint.resource));
      const sent = `. Sent: ${[...sentFields].join(', ')}`;
      reportRemarks(context, leftOutRemarks(context, what, sent));
    }
    const skipped = ({ row, line, message }: RowProblem) =>
      `Row ${row} (line ${line}) skipped: ${message}`;
    const skippedLines = problemLines(checked.invalid, skipped);
    if (dryRun) {
      for (const text of skippedLines) reporter.warn('skipped-row', text);
      yield* rowsToSend(context, checked);
      return undefined;
    }
    if (checked.sending > 0 && !file.input.options.yes) yield* showOverview(context, checked.look);
    for (const text of skippedLines) reporter.reportOnce(text, 'essential');
    await confirmRun(context, checked);
    const { log, look: _, ...batch } = checked;
    if (!earlier && existsSync(path)) {
      // A damaged one tells nothing.
      const old = orUndefined(() => replay(path));
      old?.states.markInterrupted();
      if (old) await log.settleEarlier({ ...old, id: old.header.id });
      reporter.reportOnce(`The old journal is kept as ${await archiveJournal(path)}`);
    }
    if (source.temporary) await rename(source.temporary, keptInputPath(path));
    if (!journal) {
      const header = { id: randomUUID(), ...binding, input: settings.name, ...facts };
      journal = await createJournal(path, header, { states, keys }, lock);
    } else if (!isSameInput) await journal.startInput({ states, keys }, facts);
    for (const { row, state, id, message } of checked.placed) {
      journal.append({ row, event: state, id, message });
    }
    for (const [row, problems] of checked.newlyInvalid) {
      const message = world.redactor.clean(messageOf(problems));
      journal.append({ row, event: 'invalid', message });
    }
    if (earlier) await log.settleEarlier({ id: journal.id, path, states, keys });
    const { invalid, isPending } = batch;
    const isSent = (row: number) => isPending(row) && !invalid.has(row);
    const recorder = checked.sending > 0 ? await log.begin(journal, isSent) : undefined;
    return { ...batch, journal, recorder };
  } catch (error) {
    await journal?.close();
    throw error;
  }
}

const passwordNote =
  'Journals hold no passwords, so a changed password alone does not count as a change. To send one, put its row into a separate file.';

/** The undo of a journal that had this name before. It is kept under another name. */
const isOtherUndo = ({ undoOf }: JournalHeader, now: Binding) =>
  undoOf !== undefined && now.undoOf !== undefined && undoOf !== now.undoOf;

async function confirmRun(context: Context, batch: CheckedInput): Promise<void> {
  const { reporter } = context;
  const { rules, settings, source, template, look, sending, undone } = batch;
  const { yes, again, skipChecks } = batch.input.options;
  if (yes || sending === 0) return;
  const isRestart = again === 'all' && existsSync(settings.journal);
  const isCreate = rules.endpoint.method === 'POST';
  const questions = isRestart ? ['--again=all sends every row again, done ones too'] : [];
  const doubtful = batch.log.doubtful;
  if (doubtful > 0) questions.push(`${plural(doubtful, 'row')} may have been ordered before`);
  // An agent has asked before.
  if (undone && !context.world.agent) {
    questions.push(`this writes ${plural(sending, 'record')} back`);
  }
  if (questions.length > 0 && !reporter.isInteractive) {
    throw usageError(
      questions.join('\n'),
      forPerson('Nothing was sent. To see it first, use --dry-run; to do it, add --yes.'),
      isRestart ? { flag: '--again' } : { flag: '--batch', value: source.name },
    );
  }
  const { repeated } = batch.log;
  if (repeated > 0) {
    questions.push(`${plural(repeated, 'row')} ${repeated === 1 ? 'was' : 'were'} ordered before`);
  }
  const note = rules.changes ? 'To see the changes first, use --dry-run.' : noDiffNote;
  const verb = isCreate ? 'Creating' : 'Writing';
  if (!look) {
    questions.push(`${verb} ${plural(sending, 'record')}.${isCreate ? '' : ` ${note}`}`);
  }
  if (template?.warning && skipChecks !== true)
    questions.push(`warning: ${template.warning.message}`);
  if (look) {
    const them = sending === 1 ? 'it' : 'them';
    questions.push(`Ordering ${plural(sending, 'work request')}. mar cannot take ${them} back.`);
  }
  if (!reporter.isInteractive) return;
  for (const question of questions) reporter.reportOnce(question, 'essential');
  await confirm(context);
}

function bindingOf(
  context: Context,
  { endpointId, edits, template, undone, settings: { shard, sheet, zone } }: BatchRequest,
): Binding {
  const { baseUrl, email } = context.session.identity();
  return {
    command: commandOf(endpointId),
    baseUrl: baseUrl.href,
    account: email,
    changes: [
      ...(template ? [template.change] : []),
      ...(zone ? [`--tz ${zone}`] : []),
      ...edits.map(describeChange),
    ],
    shard: `${shard.index}/${shard.count}`,
    undoOf: undone?.id,
    ...sheet,
  };
}

function describeChange(edit: Edit): string {
  const { kind, text, content } = edit;
  const path = pathOf(edit);
  if (kind === 'unset') return `--unset ${text}`;
  // Not even a hash of it: people share journals, and weak passwords can be found by trying.
  const value = text.slice(path.length + 1);
  const hasSecret = /^\s*[{[]/.test(value) && mayHoldSecret(value);
  if (isSecretPath(path) || hasSecret) return `--${kind} ${path}=${redacted}`;
  if (content === undefined) return `--${kind} ${path}=${hideSecrets(value, path)}`;
  const digest = hash('sha256', printJson(hideSecrets(content, path)));
  return `--${kind} ${text} (${digest.slice(0, 8)})`;
}
