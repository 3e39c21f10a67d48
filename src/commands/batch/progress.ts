import type { Row } from '../../batch/input/row.ts';
import type { Outcome } from '../../batch/send.ts';
import type { Summary } from '../../batch/summary.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { ProgressLine } from '../../terminal/progress.ts';
import { ClosedPipe } from '../../terminal/streams.ts';
import type { View } from '../../terminal/view.ts';
import { groupDigits } from '../../values/counts.ts';
import { formatSeconds } from '../../values/duration.ts';

/** More are in the journal, and told by `--status` and `--report`. */
const mostTold = 20;

/** What is seen of a batch while it runs: records on standard output, the rest on standard error. */
export class BatchOutput {
  readonly #context: Context;
  readonly #line: ProgressLine;
  readonly #records?: Channel<ServiceRecord>;
  readonly #printed?: Promise<unknown>;
  #told = 0;
  misfit?: string;
  /** Why records that were made are not on standard output. */
  unprinted?: MarError;

  constructor(context: Context, summary: () => Summary) {
    this.#context = context;
    const already = summary();
    this.#line = new ProgressLine(context.world, (elapsedMs) =>
      parts(summary(), already, elapsedMs),
    );
    if (!printsRecords(context)) return;
    const records = new Channel<ServiceRecord>();
    this.#records = records;
    // Whatever is wrong with the output, it does not keep rows from being finished.
    this.#printed = context.printer
      .list(records.pages(), rowView)
      .catch((error: unknown) => {
        this.unprinted = unprintedBecause(error, context);
      })
      .finally(() => records.close());
  }

  async row(row: Row, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'done') {
      await this.#records?.put(withRow(row.number, outcome.record));
      return;
    }
    // The run ends with it, and tells.
    if (outcome.kind === 'locked-out') return;
    if (outcome.kind === 'throttled' && this.#told > 0) return;
    const why = outcome.error.message.replace(/\s*[\r\n]\s*/g, ' ');
    this.#tell(`row ${row.number} (line ${row.line}) ${stateOf(outcome)}: ${why}`);
  }

  /** The journal could not take it: here is the last place where it is known. */
  lost({ number }: Row, outcome: Outcome): void {
    const id = outcome.kind === 'done' ? valueAt(outcome.record.value, '_id') : undefined;
    const what = outcome.kind === 'done' ? `was done${id ? ` (${id})` : ''}` : `is ${outcome.kind}`;
    this.#context.note(`row ${number} ${what}, which could not be written to the journal`);
  }

  noteMisfit(message: string, isError: boolean): void {
    this.#context.note(`warning: ${message}`);
    if (isError) this.misfit ??= message;
  }

  async end(): Promise<void> {
    this.#records?.close();
    await this.#printed;
    await this.#line.end();
  }

  #tell(text: string): void {
    this.#told += 1;
    if (this.#told <= mostTold) this.#context.note(text);
    else this.#context.note('more rows failed: --report FILE lists them all');
  }
}

function stateOf(outcome: Outcome): string {
  if (outcome.kind !== 'throttled') return outcome.kind;
  const { waitMs } = outcome;
  return waitMs ? `not taken yet, all wait ${formatSeconds(waitMs / 1000)}` : 'not taken yet';
}

/** Who no longer listens, or has interrupted it, need not be told. */
function unprintedBecause(error: unknown, { world }: Context): MarError | undefined {
  if (error instanceof ClosedPipe || world.signal.aborted) return undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return new MarError('service', `not all records could be printed: ${reason}`, {
    hint: 'the rows were carried out all the same: --status --report FILE tells their ids',
    cause: error,
  });
}

/** With `--jsonl`, or a filter for each of them. */
export const printsRecords = ({ flags }: Context) =>
  flags.format === 'jsonl' || flags.jq !== undefined;

const rowView: View = { columns: [] };

/** A record as the service sent it, beside the number of its row. */
const withRow = (row: number, { value, text }: ServiceRecord): ServiceRecord =>
  new ServiceRecord({ row, record: value }, `{"row":${row},"record":${text}}`);

/** The most telling first. */
function parts(now: Summary, already: Summary, elapsedMs: number): string[] {
  const settled = ({ done, failed, unknown }: Summary) => done + failed + unknown;
  const rate = (settled(now) - settled(already)) / (elapsedMs / 1000);
  const { rows, done, failed, unknown, left } = now;
  return [
    `${groupDigits(done)} of ${groupDigits(rows)} done`,
    ...(failed > 0 ? [`${groupDigits(failed)} failed`] : []),
    ...(unknown > 0 ? [`${groupDigits(unknown)} unknown`] : []),
    ...(rate > 0
      ? [`${formatSeconds(left / rate)} left`, `${groupDigits(Math.round(rate))}/s`]
      : []),
  ];
}

/** Hands things over one at a time: who gives waits until they are taken. */
class Channel<Item> {
  readonly #waiting: { item: Item; taken: () => void }[] = [];
  #wake: () => void = () => {};
  #isClosed = false;

  put(item: Item): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((taken) => {
      this.#waiting.push({ item, taken });
      this.#wake();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *pages(): AsyncGenerator<Item[]> {
    try {
      for (;;) {
        const taken = this.#waiting.splice(0);
        if (taken.length > 0) {
          try {
            yield taken.map(({ item }) => item);
          } finally {
            for (const { taken: done } of taken) done();
          }
        } else if (this.#isClosed) return;
        else
          await new Promise<void>((wake) => {
            this.#wake = wake;
          });
      }
    } finally {
      this.#isClosed = true;
      for (const { taken } of this.#waiting.splice(0)) taken();
    }
  }
}
