import { type MarError, onCommandLine, usageError } from '../errors.ts';

/** Whether a host is this machine. A name below `localhost` is not: a name server may send it anywhere. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);

/** Others on the network can read plain http, so it stays on this machine. */
export const plainHttpError = ({ href }: URL): MarError =>
  usageError(
    `the base URL ${href} is plain http: others on the network could read your token`,
    onCommandLine('Use https, or --allow-http to send the token unencrypted.'),
  );
