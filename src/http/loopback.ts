import { type MarError, usageError } from '../errors.ts';

/** Whether a host is this machine by its name. Which address it has is up to the system's resolver. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Whether a loopback host is a name, which is still to be looked up. */
export const isLoopbackName = (hostname: string) => hostname.endsWith('localhost');

export const plainHttpError = ({ href }: URL): MarError =>
  usageError(
    `the base URL ${href} is plain http: your token could be read on its way`,
    'use https, or --allow-http if you must',
  );
