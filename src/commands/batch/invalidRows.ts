import { type ReportLine, writeReport } from '../../batch/report.ts';
import { usageError } from '../../errors.ts';
import { groupDigits } from '../../values/counts.ts';
import type { BatchSettings } from './settings.ts';

/** More of them are for the report: nobody reads them off a screen. */
const mostTold = 100;

/** The rows that are not fit to be sent, and why. */
export class InvalidRows {
  readonly #name: string;
  readonly #problems = new Map<number, { line: number; problem: string }>();

  constructor(name: string) {
    this.#name = name;
  }

  add(row: number, line: number, problem: string): void {
    this.#problems.set(row, { line, problem });
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

  /** One line a row, as far as anybody wants to read. */
  get lines(): string[] {
    const rows = [...this.#problems].slice(0, mostTold);
    const lines = rows.map(
      ([row, { line, problem }]) => `${this.#name}, line ${line} (row ${row}): ${problem}`,
    );
    const more = this.count - rows.length;
    if (more > 0) lines.push(`and ${groupDigits(more)} more: --report FILE lists them all`);
    return lines;
  }

  async *reported(): AsyncGenerator<ReportLine> {
    for (const [row, { line, problem }] of this.#problems) {
      yield { row, state: 'invalid', message: `line ${line}: ${problem}` };
    }
  }
}

/** Nothing is sent as long as a row is not fit to be. */
export async function refuseInvalid(
  invalid: InvalidRows,
  rows: number,
  { report }: BatchSettings,
): Promise<never> {
  if (report !== undefined) await writeReport(report, invalid.reported());
  const { count, lines } = invalid;
  const all =
    rows === 1 ? 'the only row is' : `${groupDigits(count)} of ${groupDigits(rows)} rows are`;
  throw usageError(
    [`${all} not valid`, ...lines].join('\n'),
    'nothing was sent; mend them, or send the others with --skip-invalid',
  );
}
