import { join } from 'node:path';

/* Facts about a sandbox that commands need without loading it. */

export const defaultPort = 4747;

/** The only address that a sandbox listens on. */
export const sandboxHost = '127.0.0.1';

/** The password of every user. */
export const demoPassword = 'open-sesame';

export interface SandboxState {
  baseUrl: string;
  pid?: number;
  /** Proves to the sandbox that a request comes from somebody who can read its folder. */
  secret: string;
}

/** The file that says how to reach the sandbox of a data folder while it runs. */
export const stateFileOf = (folder: string): string => join(folder, 'running.json');

/** The file with the token of the first user, which the profile of `mar sandbox --login` names. */
export const tokenFilePath = (folder: string): string => join(folder, 'token');
