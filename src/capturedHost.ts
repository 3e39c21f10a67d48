import { Readable, Writable } from 'node:stream';
import type { Host } from './host.ts';

/** This process as a command inside another one sees it: nothing to read, and no terminal. */
export function capturedHost(host: Host, signal: AbortSignal) {
  const { env, platform, execPath, argv, argv0, version, pid, ppid } = host;
  const texts = { stdout: '', stderr: '' };
  const capture = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += chunk;
        done();
      },
    });
  const captured: Host = {
    ...{ env, platform, execPath, argv, argv0, version, pid, ppid },
    stdin: Readable.from([]),
    stdout: capture('stdout'),
    stderr: capture('stderr'),
    kill: (id, name) => host.kill(id, name),
    // An abort is the Ctrl-C of the command.
    on: (name, listener) => name === 'SIGINT' && signal.addEventListener('abort', listener),
    off: (_name, listener) => signal.removeEventListener('abort', listener),
    exit: (code) => host.exit(code),
  };
  return { captured, texts };
}
