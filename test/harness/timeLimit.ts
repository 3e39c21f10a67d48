import type { Outcome } from './mar.ts';
import { program, startProgram } from './program.ts';

/** Longer than any command takes on a busy machine, and shorter than the wait for a lock. */
const limitMs = 8000;

/** Runs the program, and fails if it hangs. */
export async function runWithinLimit(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  which = program,
): Promise<Outcome> {
  const child = startProgram(argv, env, which);
  child.stdin?.end();
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`mar ${argv.join(' ')} did not end: ${stdout}${stderr}`));
    }, limitMs);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? -1, stdout, stderr });
    });
  });
}
