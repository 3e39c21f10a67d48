import { expect } from 'vitest';
import { mar, type RunOptions, temporaryFile } from '../../harness/mar.ts';
import { type Reaction, type WriteService, writeService } from '../../harness/writeService.ts';

export { jsonLines } from '../../harness/jsonLines.ts';

/** A row that orders something, with these instructions and more fields. */
export const order = (instructions: string, more: object = {}) => {
  const whole = { asset: { _id: 'a-1' }, language: 'fra', uses: { items: ['online'] } };
  return `${JSON.stringify({ instructions, ...more, ...whole })}\n`;
};

/** Orders with a number each, in `instructions`. */
export const numbered = (count: number) =>
  Array.from({ length: count }, (_, row) => order(String(row + 1))).join('');

/** A file of rows, and the batch that it makes. */
export function batchOf(
  { env }: Pick<WriteService, 'env'>,
  content: string | Buffer,
  name = 'rows.jsonl',
  command = 'wr create',
) {
  const file = temporaryFile(content, name);
  const argv = [...command.split(' '), '--batch', file];
  const run = (more: readonly string[] = [], options: RunOptions = {}) =>
    mar([...argv, ...more], { ...options, env: { ...env, ...options.env } });
  /** Expects this exit code, and returns standard error. */
  const fails = async (code: number, more?: readonly string[], options?: RunOptions) => {
    const { stderr, ...outcome } = await run(more, options);
    expect(outcome, stderr).toMatchObject({ code });
    return stderr;
  };
  /** Expects this exit code and this summary, and returns standard error. */
  const ends = async (code: number, summary: string, more?: readonly string[]) => {
    const { stderr, ...outcome } = await run(more);
    expect(outcome, stderr).toEqual({ code, stdout: `${summary}\n` });
    return stderr;
  };
  /** Runs `mar batch` with this verb and the file: `mar batch status FILE`. */
  const verb = (name: string, more: readonly string[] = []) =>
    mar(['batch', name, file, ...more], { env });
  return { file, journal: `${file}.mar-journal`, argv, run, fails, ends, verb };
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

/** The rows that a service got, by their numbers. */
export const numbersOf = ({ received }: WriteService) =>
  received.map(({ instructions }) => Number(instructions));
