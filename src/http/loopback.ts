import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { MarError, usageError } from '../errors.ts';

/** Whether a host names this machine. The system's resolver decides which address it has. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

export const isLoopbackName = (hostname: string) => hostname.endsWith('localhost');

export const plainHttpError = ({ href }: URL): MarError =>
  usageError(
    `the base URL ${href} is plain http: your token could be read on its way`,
    'use https, or --allow-http if you must',
  );

type Done = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Resolves a name that must be this machine, for plain http. Node connects only to the addresses
 * given here, so nothing is sent to another machine.
 */
export function loopbackLookup(hostname: string, options: LookupOptions, done: Done): void {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const own = found.filter(({ address }) => isLoopbackAddress(address));
    const [first] = own;
    if (!first) return done(notThisMachine(hostname, found), []);
    if (options.all) return done(null, own);
    done(null, first.address, first.family);
  });
}

const isLoopbackAddress = (address: string) => /^(?:(?:::ffff:)?127\.|::1$)/i.test(address);

function notThisMachine(hostname: string, found: readonly LookupAddress[]): MarError {
  const addresses = found.map(({ address }) => address).join(', ');
  return new MarError(
    'usage',
    `${hostname} is ${addresses}, not this machine: with plain http your token could be read on its way`,
    { hint: 'use https, or --allow-http if you must', isUnsent: true },
  );
}
