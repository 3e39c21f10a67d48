import { JournalDetails } from '../../batch/journal/details.ts';
import type { RowStates } from '../../batch/journal/states.ts';
import { type ReportLine, writeReport } from '../../batch/report.ts';
import { isInShard, type Shard } from '../../batch/shard.ts';

export interface Reported {
  journal: string;
  states: RowStates;
  rows: number;
  shard: Shard;
  problemOf?(row: number): string | undefined;
}

/** Writes what became of each row, in the order of the input. */
export async function reportRows(file: string, reported: Reported): Promise<void> {
  const details = new JournalDetails(reported.journal, reported.states);
  try {
    await writeReport(file, linesOf(reported, details));
  } finally {
    await details.close();
  }
}

async function* linesOf(
  { states, rows, shard, problemOf }: Reported,
  details: JournalDetails,
): AsyncGenerator<ReportLine> {
  for (let row = 1; row <= rows; row += 1) {
    if (!isInShard(row, shard)) continue;
    const { id, message } = await details.of(row);
    yield { row, state: states.get(row), id, message: problemOf?.(row) ?? message };
  }
}
