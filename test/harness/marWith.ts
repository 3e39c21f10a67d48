import { expect } from 'vitest';
import { mar, type Outcome, type RunOptions } from './mar.ts';
import { recordingServer } from './recordingServer.ts';

type Response = Parameters<typeof recordingServer>[number];

/** Runs the program with a service that sends these responses, one for each request; the last one repeats. */
export async function marWith(
  responses: Response | readonly Response[],
  argv: readonly string[],
  options: Omit<RunOptions, 'env'> = {},
): Promise<Outcome> {
  const { env } = await recordingServer(...[responses].flat());
  return mar(argv, { ...options, env });
}

/** Runs a command that must be refused with exit code 2 before it sends anything. Returns its message. */
export async function refused(
  argv: readonly string[],
  options: Omit<RunOptions, 'env'> = {},
): Promise<string> {
  const { env, requests } = await recordingServer();
  const { code, stdout, stderr } = await mar(argv, { ...options, env });
  expect({ code, stdout, requests }, stderr).toEqual({ code: 2, stdout: '', requests: [] });
  return stderr;
}

/** Expects that a run ended with this exit code, and printed no result. Returns its message. */
export async function failure(code: number, run: Outcome | Promise<Outcome>): Promise<string> {
  const { stderr, ...outcome } = await run;
  expect(outcome, stderr).toMatchObject({ code, stdout: '' });
  return stderr;
}

/** The facts of the error that a program gets on the last line of standard error. */
export const factsIn = (stderr: string) =>
  JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;
