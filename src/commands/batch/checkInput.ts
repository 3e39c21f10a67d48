import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError, type RowProblem, usageError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { defaultConcurrency, mapConcurrently } from '../../values/concurrency.ts';
import { groupDigits, plural } from '../../values/numbers.ts';
import { EqualRows } from './equalRows.ts';
import type { Row } from './input/row.ts';
import { type InputIdentity, type Problem, type RowRules, validateRows } from './input/rows.ts';
import type { Source } from './input/source.ts';
import type { ReplayedJournal } from './journal/replay.ts';
import { type InputChanges, RowMatcher } from './journal/rowMatcher.ts';
import type { RowStates } from './journal/rowStates.ts';
import { writeRejects } from './report/rejects.ts';
import {
  type InvalidRows,
  invalidLines,
  listProblems,
  maxListedProblems,
  writeReport,
} from './report/report.ts';
import { checkRemoved, describeChanges } from './report/result.ts';
import type { BatchRequest, BatchRules } from './rules.ts';
import type { Batch } from './send.ts';
import type { BatchSettings } from './settings.ts';

interface UncheckedInput {
  request: BatchRequest;
  rules: BatchRules;
  source: Source;
  earlier: ReplayedJournal | undefined;
  identity: InputIdentity;
}

/** Validates all pending rows, and finds what happened to the rows of an edited input. */
export async function checkInput(
  context: Context,
  { request: { settings }, rules, source, earlier, identity }: UncheckedInput,
): Promise<CheckedInput> {
  const { shard, retryFailed } = settings;
  const { keys } = identity;
  const isEdited = earlier !== undefined && earlier.hash !== identity.hash;
  const isSame = earlier !== undefined && !isEdited;
  const matcher = isSame ? undefined : new RowMatcher(shard, keys, earlier);
  const states = isSame ? earlier.states : (matcher as RowMatcher).states;
  const isPending = pendingTest(states, retryFailed);
  const invalid: InvalidRows = new Map();
  const newlyInvalid: InvalidRows = new Map();
  const wasInvalid = new Set<number>();
  const verification = new AssetVerification(context, settings, rules);
  const equalRows = new EqualRows(settings, rules);
  const onInvalid = ({ number, line }: RowLocation, problems: readonly Problem[]) => {
    invalid.set(number, { line, problems });
    if (!wasInvalid.has(number)) newlyInvalid.set(number, { line, problems });
  };
  const rows = await validateRows(source, {
    rules,
    signal: context.world.signal,
    onUnknownColumns: rules.onUnknownColumns,
    mustCheck(row) {
      const { number } = row;
      if (states.get(number) === 'invalid') {
        wasInvalid.add(number);
        states.set(number, 'pending');
      }
      if (!isPending(number)) equalRows.addUnchecked(row, keys[number - 1] as string);
      return isPending(number);
    },
    onInvalid,
    onValid(row, body) {
      // Such a row was accepted when the batch was started.
      const isAccepted = isSame && !wasInvalid.has(row.number);
      const problems = equalRows.problemsWith(row, body, isAccepted);
      if (problems.length > 0) onInvalid(row, problems);
      else verification.add(row, body);
    },
  });
  refuseEmpty(source, rows, settings);
  await verification.run(onInvalid);
  const changes = isEdited ? matcher?.changes : undefined;
  if (earlier && changes) checkRemoved(source.name, changes, earlier.at);
  if (invalid.size > 0 && !settings.skipInvalid) {
    await writeReport(settings.report, invalidLines(invalid));
    await writeRejects(settings.rejects, { source, rules, invalid });
    throw invalidError(context, invalid, `${plural(rows, 'row')} in ${source.name}`, {
      kind: 'usage',
      hint: `Nothing was sent. Fix these rows, or use --skip-invalid to send the rest.${equalRows.hint}`,
    });
  }
  for (const row of invalid.keys()) states.set(row, 'invalid');
  if (changes) {
    const counts = states.summarise(rows);
    const sending = counts.pending + (retryFailed ? counts.failed + counts.conflict : 0);
    for (const line of describeChanges(source.name, { changes, counts, sending })) {
      context.reportOnce(line);
    }
  }
  const checked = { source, rules, settings, rows, isPending, invalid };
  return { ...checked, newlyInvalid, states, edited: changes };
}

/** A function of its own: a closure of `checkInput` would keep the keys of all rows in memory. */
const pendingTest = (states: RowStates, retryFailed: boolean) => (row: number) => {
  const state = states.get(row);
  return state === 'pending' || (retryFailed && (state === 'failed' || state === 'conflict'));
};

export interface CheckedInput extends Omit<Batch, 'journal'> {
  newlyInvalid: InvalidRows;
  states: RowStates;
  edited: InputChanges | undefined;
}

function invalidError(
  context: Context,
  invalid: InvalidRows,
  all: string,
  { kind, hint }: { kind: 'usage' | 'batch'; hint: string },
): MarError {
  const message = `${groupDigits(invalid.size)} of ${all} ${invalid.size === 1 ? 'is' : 'are'} invalid`;
  const lines = problemLines(
    invalid,
    ({ row, line, message: problem }) => `row ${row} (line ${line}): ${problem}`,
  );
  return new MarError(kind, [message, ...(context.hasJsonErrors ? [] : lines)].join('\n'), {
    hint,
    rows: listProblems(invalid).slice(0, maxListedProblems),
    rowCount: invalid.size,
  });
}

export function problemLines(
  invalid: InvalidRows,
  describe: (problem: RowProblem) => string,
): string[] {
  const problems = listProblems(invalid);
  const lines = problems.slice(0, maxListedProblems).map(describe);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`${groupDigits(more)} more; use --report FILE to list them all`);
  return lines;
}

function refuseEmpty({ name }: Source, rows: number, { allowEmpty, undo }: BatchSettings): void {
  if (rows > 0 || allowEmpty) return;
  if (undo !== undefined) throw usageError(`${name} has no changes to undo`, 'Nothing was sent.');
  const hint = 'Nothing was sent. If an input may be empty, use --allow-empty.';
  throw usageError(`${name} has no rows`, hint);
}

/** Validates a file for `--check`: every row, without a journal. */
export async function checkFile(
  context: Context,
  { settings, rules, source }: { settings: BatchSettings; rules: BatchRules; source: Source },
): Promise<void> {
  const invalid: InvalidRows = new Map();
  const verification = new AssetVerification(context, settings, rules);
  const equalRows = new EqualRows(settings, rules);
  const onInvalid = ({ number, line }: RowLocation, problems: readonly Problem[]) =>
    invalid.set(number, { line, problems });
  const rows = await validateRows(source, {
    rules,
    signal: context.world.signal,
    onUnknownColumns: rules.onUnknownColumns,
    mustCheck: () => true,
    onInvalid,
    onValid(row, body) {
      const problems = equalRows.problemsWith(row, body);
      if (problems.length > 0) onInvalid(row, problems);
      else verification.add(row, body);
    },
  });
  refuseEmpty(source, rows, settings);
  await verification.run(onInvalid);
  await writeReport(settings.report, invalidLines(invalid));
  await writeRejects(settings.rejects, { source, rules, invalid });
  const valid = rows - invalid.size;
  const counts = [`${groupDigits(valid)} valid`];
  if (invalid.size > 0) counts.push(`${groupDigits(invalid.size)} invalid`);
  await context.printer.outcome(
    { rows, valid, invalid: invalid.size, invalidRows: [...invalid.keys()] },
    `${plural(rows, 'row')}: ${counts.join(', ')}`,
  );
  if (invalid.size === 0) return;
  throw invalidError(context, invalid, `${plural(rows, 'row')} in ${source.name}`, {
    kind: 'batch',
    hint: `Nothing was sent.${equalRows.hint}`,
  });
}

type RowLocation = Pick<Row, 'number' | 'line'>;

/** With `--verify-ids`, asks the service for each asset that rows name, once. */
class AssetVerification {
  readonly #context: Context;
  readonly #isWanted: boolean;
  readonly #field: '_id' | 'asset';
  readonly #rows = new Map<string, RowLocation[]>();

  constructor(context: Context, { verifyIds }: BatchSettings, { endpoint }: RowRules) {
    this.#context = context;
    this.#field = endpoint.resource === 'Asset' ? '_id' : 'asset';
    this.#isWanted = verifyIds;
  }

  add({ number, line }: RowLocation, body: JsonObject): void {
    if (!this.#isWanted) return;
    const asset = body.get(this.#field);
    const id = isObject(asset) ? asset.get('_id') : asset;
    if (typeof id !== 'string') return;
    const locations = this.#rows.get(id) ?? [];
    locations.push({ number, line });
    this.#rows.set(id, locations);
  }

  async *#ids(): AsyncGenerator<string> {
    yield* this.#rows.keys();
  }

  async run(
    onInvalid: (location: RowLocation, problems: readonly Problem[]) => void,
  ): Promise<void> {
    if (this.#rows.size === 0) return;
    const client = await this.#context.client();
    const verify = async (id: string) => {
      try {
        await client.call(endpoints.assetGet, { id });
        return undefined;
      } catch (error) {
        if (error instanceof MarError && error.kind === 'not-found') return id;
        throw error;
      }
    };
    const concurrency = this.#context.settings.concurrency ?? defaultConcurrency.reads;
    for await (const { result, error } of mapConcurrently(this.#ids(), concurrency, verify)) {
      if (error) throw error;
      if (result === undefined) continue;
      const problem = { field: this.#field, message: `asset ${result}: not found in the service` };
      for (const location of this.#rows.get(result) ?? []) onInvalid(location, [problem]);
    }
  }
}
