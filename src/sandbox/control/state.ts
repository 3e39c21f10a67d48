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
