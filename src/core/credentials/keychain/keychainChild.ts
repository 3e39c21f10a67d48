import { loadLibrary } from './packaging.ts';

/**
 * A separate process around the keychain library. A call into the library can block for ever, and
 * only ending its process stops it. It reads a request from stdin and writes a response to stdout.
 */

export interface LibraryRequest {
  operation: 'read' | 'store' | 'remove';
  service: string;
  username: string;
  secret?: string;
  limitMs: number;
}

/** The value is what the keychain holds after the operation. */
export type LibraryResponse = { value: string | null } | { failure: string };

async function handle(request: LibraryRequest): Promise<LibraryResponse> {
  const { operation, service, username, secret } = request;
  try {
    const { AsyncEntry } = await loadLibrary();
    // By default, the library falls back to the kernel's keyring, which loses its content on reboot.
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
  const request: LibraryRequest = JSON.parse(input);
  // The parent may have been killed, and then cannot end this process.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), request.limitMs).unref();
  process.stdout.write(`${JSON.stringify(await handle(request))}\n`);
}

void serve();
