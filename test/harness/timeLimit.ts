import type { Outcome } from './mar.ts';
import { outcomeOf, program, startProgram } from './program.ts';

/** A program that hangs never ends; one on a busy machine does. */
const limitMs = 180_000;

/** Runs the program, and fails if it hangs. */
export async function runWithinLimit(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  which = program,
): Promise<Outcome> {
  const child = startProgram(argv, env, which);
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const outcome = await outcomeOf(child);
  clearTimeout(timer);
  if (child.signalCode) throw new Error(`mar ${argv.join(' ')} did not end: ${outcome.stderr}`);
  return outcome;
}
