import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Outcome, temporaryFolder } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import type { WriteService } from '../harness/writeService.ts';

/** A batch of work requests, run by the built program in a folder of its own. */
export interface ProgramBatch {
  folder: string;
  file: string;
  journal: string;
  env: Record<string, string>;
  argv: readonly string[];
  run(more?: readonly string[], stdin?: string): Promise<Outcome>;
}

export const numberedRows = (count: number) =>
  Array.from({ length: count }, (_, row) => `{"instructions":"${row + 1}"}\n`).join('');

export function programBatch(
  service: Pick<WriteService, 'env'>,
  content: string | Buffer,
  name = 'rows.jsonl',
): ProgramBatch {
  const folder = temporaryFolder();
  const file = path.join(folder, name);
  writeFileSync(file, content);
  const env = isolated(service.env);
  const argv = ['wr', 'create', '--batch', file];
  const run = (more: readonly string[] = [], stdin = '') =>
    runProgram([...argv, ...more], env, stdin);
  return { folder, file, journal: `${file}.mar-journal`, env, argv, run };
}
