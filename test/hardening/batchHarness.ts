import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Outcome, temporaryFolder } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { type WriteService, writeService } from '../harness/writeService.ts';

/** A batch of work requests, run by the built program in a folder of its own. */
export interface ProgramBatch {
  folder: string;
  file: string;
  journal: string;
  env: Record<string, string>;
  argv: readonly string[];
  run(more?: readonly string[], stdin?: string): Promise<Outcome>;
  /** Runs `mar batch` with this verb and the file: `mar batch status FILE`. */
  verb(name: string, more?: readonly string[]): Promise<Outcome>;
}

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
  const verb = (verbName: string, more: readonly string[] = []) =>
    runProgram(['batch', verbName, file, ...more], env);
  return { folder, file, journal: `${file}.mar-journal`, env, argv, run, verb };
}

/** A batch for a service of its own. `treat` decides how that responds. */
export async function newProgramBatch(
  content: string,
  { name, treat }: { name?: string; treat?: Parameters<typeof writeService>[0] } = {},
) {
  const service = await writeService(treat);
  return { service, batch: programBatch(service, content, name) };
}
