import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { mar, type Outcome, type RunOptions, temporaryFolder } from '../harness/mar.ts';
import { type Reaction, type WriteService, writeService } from '../harness/writeService.ts';

/** A file of rows, and the batch that it makes. */
export interface TestBatch {
  file: string;
  journal: string;
  argv: string[];
  run(more?: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Runs `mar batch` with this verb and the file: `mar batch status FILE`. */
  verb(name: string, more?: readonly string[]): Promise<Outcome>;
  /** Expects this exit code, and returns standard error. */
  fails(code: number, more?: readonly string[], options?: RunOptions): Promise<string>;
}

/** A row that orders something, with these instructions and more fields. */
export const order = (instructions: string, more: object = {}) => {
  const whole = { asset: { _id: 'a-1' }, language: 'fra', uses: { items: ['online'] } };
  return `${JSON.stringify({ instructions, ...more, ...whole })}\n`;
};

/** Orders with a number each, in `instructions`. */
export const numbered = (count: number) =>
  Array.from({ length: count }, (_, row) => order(String(row + 1))).join('');

export function batchOf(
  service: Pick<WriteService, 'env'>,
  content: string | Buffer,
  name = 'rows.jsonl',
  command = 'wr create',
): TestBatch {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, content);
  const argv = [...command.split(' '), '--batch', file];
  const run: TestBatch['run'] = (more = [], options = {}) =>
    mar([...argv, ...more], { ...options, env: { ...service.env, ...options.env } });
  return {
    file,
    journal: `${file}.mar-journal`,
    argv,
    run,
    verb: (name, more = []) => mar(['batch', name, file, ...more], { env: { ...service.env } }),
    async fails(code, more, options) {
      const outcome = await run(more, options);
      expect(outcome, outcome.stderr).toMatchObject({ code });
      return outcome.stderr;
    },
  };
}

interface BatchOptions {
  treat?: Parameters<typeof writeService>[0];
  name?: string;
  command?: string;
}

/** A batch for a service of its own. `treat` decides how that responds. */
export async function newBatch(
  content: string | Buffer,
  { treat, name, command }: BatchOptions = {},
) {
  const service = await writeService(treat);
  return { service, batch: batchOf(service, content, name, command) };
}

/** The reaction to one request, by its place among all of them. */
export const onRequest = (number: number, reaction: Reaction) => (_: unknown, count: number) =>
  count === number ? reaction : {};

/** The reaction to one row, by its `instructions`. */
export const onRow =
  (name: string, reaction: Reaction) =>
  ({ instructions }: Record<string, unknown>) =>
    instructions === name ? reaction : {};

export const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The rows that a service got, by their numbers. */
export const numbersOf = ({ received }: WriteService) =>
  received.map(({ instructions }) => Number(instructions));
