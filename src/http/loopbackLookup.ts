import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { MarError } from '../errors.ts';

type Done = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Looks up a name that must be this machine, for plain http. A connection is made to the addresses
 * given here and to no other, so nothing is sent to another machine.
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
