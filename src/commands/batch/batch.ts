import type { Row } from '../../batch/input/row.ts';
import { type RowRules, readRows } from '../../batch/input/rows.ts';
import type { Source } from '../../batch/input/source.ts';
import type { Journal } from '../../batch/journal/journal.ts';
import { groupDigits } from '../../values/numbers.ts';
import type { ReportLine } from './report.ts';
import type { BatchSettings } from './settings.ts';

/** A batch with a validated input and an open journal. */
export interface Batch {
  source: Source;
  rules: RowRules;
  settings: BatchSettings;
  journal: Journal;
  /** Counts the whole input, not only this shard. */
  rows: number;
  isPending(row: number): boolean;
  invalid: InvalidRows;
}

export async function* pendingRows({
  source,
  rules,
  isPending,
}: Pick<Batch, 'source' | 'rules' | 'isPending'>): AsyncGenerator<Row> {
  for await (const row of readRows(source, rules)) {
    if (isPending(row.number)) yield row;
  }
}

/** Nobody reads more of them on a screen; `--report` has all. */
const maxPrintedInvalid = 100;

export class InvalidRows {
  readonly #inputName: string;
  readonly #problems = new Map<number, { line: number; problem: string }>();

  constructor(inputName: string) {
    this.#inputName = inputName;
  }

  add({ number, line }: Row, problem: string): void {
    this.#problems.set(number, { line, problem });
  }

  get count(): number {
    return this.#problems.size;
  }

  get numbers(): Iterable<number> {
    return this.#problems.keys();
  }

  problemOf(row: number): string | undefined {
    return this.#problems.get(row)?.problem;
  }

  get messages(): string[] {
    const rows = [...this.#problems].slice(0, maxPrintedInvalid);
    const messages = rows.map(
      ([row, { line, problem }]) => `${this.#inputName}, line ${line} (row ${row}): ${problem}`,
    );
    const more = this.count - rows.length;
    if (more > 0) messages.push(`and ${groupDigits(more)} more: --report FILE lists them all`);
    return messages;
  }

  async *reportLines(): AsyncGenerator<ReportLine> {
    for (const [row, { line, problem }] of this.#problems) {
      yield { row, state: 'invalid', message: `line ${line}: ${problem}` };
    }
  }
}
