import type { IncomingMessage } from 'node:http';
import { HttpError } from './responses.ts';

/** Below this path, `mar sandbox status`, `stop`, `reset` and `export` talk to the running sandbox. */
export const controlPath = '/_sandbox/control';

/** The only address that a sandbox listens on. */
export const sandboxHost = '127.0.0.1';

/** The file in the data folder that says how to reach the running sandbox. */
export const stateFileName = 'running.json';

export interface SandboxState {
  baseUrl: string;
  pid?: number;
  /** Proves to the sandbox that a request comes from somebody who can read its folder. */
  secret: string;
}

export interface ControlActions {
  status(): object;
  login(): object;
  reset(): Promise<void>;
  stop(): void;
  records(after: string): object;
}

/** Handles the requests below `controlPath`, which need the secret. */
export function makeCommandHandler(secret: string, actions: ControlActions) {
  const routes: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    'GET status': () => actions.status(),
    'GET records': (query) => actions.records(query.get('after') ?? ''),
    'POST login': () => actions.login(),
    'POST reset': () => actions.reset(),
    'POST stop': () => actions.stop(),
  };
  return async ({ method, url = '', headers }: IncomingMessage): Promise<unknown> => {
    if (headers.authorization !== `Bearer ${secret}`) {
      throw new HttpError(401, 'unauthorized', 'the secret of the data folder is missing or wrong');
    }
    const [action, query] = url.slice(controlPath.length + 1).split('?');
    const route = routes[`${method} ${action}`];
    if (route === undefined) throw new HttpError(404, 'not-found', 'unknown control request');
    return (await route(new URLSearchParams(query))) ?? {};
  };
}
