import type { Outcome } from './mar.ts';
import { outcomeOf, program, startProgram } from './program.ts';

/** Longer than any command takes on a busy machine, and shorter than the wait for a lock. */
const limitMs = 8000;

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
