import { loadLibrary } from './library.ts';

/**
 * A process of its own around the keychain library: a call into it can block for ever, and only
 * the end of its process ends that. Takes a request on standard input, answers on standard output.
 */

export interface NativeRequest {
  operation: 'read' | 'store' | 'remove';
  service: string;
  username: string;
  /** What to store. */
  secret?: string;
  /** After which nobody waits for the answer any more. */
  limitMs: number;
}

/** What the keychain holds once it is done. */
export type NativeAnswer = { value: string | null } | { failure: string };

async function answer({ operation, service, username, secret }: NativeRequest) {
  try {
    const { AsyncEntry } = await loadLibrary();
    // Pinned: left alone, the library falls back to the kernel's keyring, which forgets on reboot.
    const entry = new AsyncEntry(service, username, { linux: { store: 'secret-service' } });
    if (operation === 'store') await entry.setPassword(secret ?? '');
    if (operation === 'remove') await entry.deleteCredential();
    return { value: (await entry.getPassword()) ?? null };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function serve(): Promise<void> {
  let input = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
  const request: NativeRequest = JSON.parse(input);
  // Who asked may have been killed, and cannot end this process then.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), request.limitMs).unref();
  const result: NativeAnswer = await answer(request);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

void serve();
