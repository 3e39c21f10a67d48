import path from 'node:path';
import type { Environment } from '../../config/folders.ts';
import { builtChild, type ChildStart } from './builtChild.ts';
import type { NativeAnswer, NativeRequest } from './child.ts';
import { KeychainFailure } from './keychainFailure.ts';

export interface NativeOptions {
  env: Environment;
  /** Node, or the one-file program. */
  execPath: string;
  /** The script around the library, where it is not the one built along with this file. */
  childScript?: string;
}

const childOf = (script: string): ChildStart => ({ args: [script], cwd: path.dirname(script) });

/**
 * Asks the keychain library in a process of its own, which is killed when it takes too long, and
 * says what the keychain holds afterwards. What is secret goes through pipes alone: arguments and
 * environments are open to other processes.
 */
export async function askLibrary(
  question: Omit<NativeRequest, 'limitMs'>,
  { env, execPath, childScript }: NativeOptions,
  endsAt: number,
): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  const { operation } = question;
  const { args, argv0, cwd } = childScript ? childOf(childScript) : builtChild();
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, args, {
      argv0,
      cwd,
      env: childEnvironment(env),
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const release = () => {
      clearTimeout(deadline);
      child.kill('SIGKILL');
      child.stdin.destroy();
      child.stdout.destroy();
      child.unref();
    };
    const fail = (failure: KeychainFailure) => {
      release();
      reject(failure);
    };
    const failed = (reason: string) =>
      fail(new KeychainFailure('library', `${operation} the token: ${reason}`));
    const deadline = setTimeout(
      () => fail(new KeychainFailure('too-late', operation)),
      endsAt - performance.now(),
    );
    child.on('error', (error) => failed(error.message));
    child.on('close', (code, signal) =>
      failed(`its process ended without an answer (${signal ?? code})`),
    );

    let received = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      if (!received.endsWith('\n')) return;
      const answer = parseAnswer(received);
      if ('failure' in answer) return failed(answer.failure);
      // The answer is what counts; how the process ends is not waited for.
      release();
      resolve(answer.value ?? undefined);
    });
    // It may be gone before it has read the request: then it closes without an answer.
    child.stdin.on('error', () => {});
    const request: NativeRequest = { ...question, limitMs: endsAt - performance.now() };
    child.stdin.end(JSON.stringify(request));
  });
}

function parseAnswer(text: string): NativeAnswer {
  try {
    const answer = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Then it is no answer either.
  }
  return { failure: 'its process gave no proper answer' };
}

/** Without what is ours (a token may be among it), and what would change how Node runs. */
function childEnvironment(env: Environment): Record<string, string | undefined> {
  const foreign = /^(?!(MAR|NODE)_)|^MAR_CACHE_DIR$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => foreign.test(name)));
}
