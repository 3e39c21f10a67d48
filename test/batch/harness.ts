import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { mar, type Outcome, type RunOptions, temporaryFolder } from '../harness/mar.ts';
import { type WriteService, writeService } from '../harness/writeService.ts';

/** A file of rows, and the batch that it makes. */
export interface TestBatch {
  file: string;
  journal: string;
  argv: string[];
  run(more?: readonly string[], options?: RunOptions): Promise<Outcome>;
}

/** Rows with a number each, in `instructions`. */
export const numbered = (count: number) =>
  Array.from({ length: count }, (_, row) => `{"instructions":"${row + 1}"}\n`).join('');

export function batchOf(
  service: Pick<WriteService, 'env'>,
  content: string | Buffer,
  name = 'rows.jsonl',
): TestBatch {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, content);
  const argv = ['wr', 'create', '--batch', file];
  return {
    file,
    journal: `${file}.mar-journal`,
    argv,
    run: (more = [], options = {}) =>
      mar([...argv, ...more], { ...options, env: { ...service.env, ...options.env } }),
  };
}

/** A batch for a service of its own. `treat` decides how that responds. */
export async function newBatch(
  content: string | Buffer,
  { treat, name }: { treat?: Parameters<typeof writeService>[0]; name?: string } = {},
) {
  const service = await writeService(treat);
  return { service, batch: batchOf(service, content, name) };
}

/** The rows that a service got, by their numbers. */
export const numbersOf = ({ received }: WriteService) =>
  received.map(({ instructions }) => Number(instructions));
