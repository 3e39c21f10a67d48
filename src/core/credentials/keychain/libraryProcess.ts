import path from 'node:path';
import { isRecord } from '../../config/configFile.ts';
import { orUndefined } from '../../errors.ts';
import { systemReason } from '../../files/systemReason.ts';
import type { Environment } from '../../values/environment.ts';
import type { LibraryRequest, LibraryResponse } from './keychainChild.ts';
import { KeychainFailure } from './keychainFailure.ts';
import { type ChildStart, childStart } from './packaging.ts';

export interface LibraryOptions {
  env: Environment;
  /** Node, or the one-file program. */
  execPath: string;
  /** The script to start instead of the one that was built; for tests. */
  childScript?: string;
}

/**
 * Returns what the keychain holds afterwards. The library's process is killed at `endsAt`. Secrets go
 * through pipes only, since other processes can see arguments and environments.
 */
export async function callLibrary(
  question: Omit<LibraryRequest, 'limitMs'>,
  { env, execPath, childScript }: LibraryOptions,
  endsAt: number,
): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  const { operation } = question;
  // Not mar's own variables, which may hold a token, and not those that change how Node runs.
  const isPassedOn = /^(?!(MAR|NODE)_)|^MAR_CACHE_DIR$/i;
  const passedOn = Object.entries(env).filter(([name]) => isPassedOn.test(name));
  const start: ChildStart = childScript
    ? { args: [childScript], cwd: path.dirname(childScript) }
    : childStart();
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, start.args, {
      argv0: start.argv0,
      cwd: start.cwd,
      env: Object.fromEntries(passedOn),
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
    const failWith = (reason: string) =>
      fail(new KeychainFailure('library', `${operation} the token: ${reason}`));
    const deadline = setTimeout(
      () => fail(new KeychainFailure('too-late', operation)),
      endsAt - performance.now(),
    );
    child.on('error', (error) => failWith(systemReason(error)));
    child.on('close', (code, signal) =>
      failWith(`its process ended without a response (${signal ?? code})`),
    );

    let received = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      if (!received.endsWith('\n')) return;
      const response = parseResponse(received);
      if ('failure' in response) return failWith(response.failure);
      release();
      resolve(response.value ?? undefined);
    });
    // A process that ends before it has read the request is reported by its `close` event.
    child.stdin.on('error', () => {});
    const request: LibraryRequest = { ...question, limitMs: endsAt - performance.now() };
    child.stdin.end(JSON.stringify(request));
  });
}

function parseResponse(text: string): LibraryResponse {
  const response = orUndefined(() => JSON.parse(text));
  return isRecord(response)
    ? (response as LibraryResponse)
    : { failure: 'its process sent an invalid response' };
}
