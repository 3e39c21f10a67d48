import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type MarError, onCommandLine, usageError } from '../errors.ts';
import type { Lookup } from './route.ts';

/** Whether a host names this machine. The system's resolver decides which address it has. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

const hint = onCommandLine('Use https, or --allow-http to send the token unencrypted.');

export const plainHttpError = ({ href }: URL): MarError =>
  usageError(
    `the base URL ${href} is plain http: others on the network could read your token`,
    hint,
  );

/** Keeps plain http on this machine. A name alone proves nothing, so its addresses are checked too. */
export function localLookup(url: URL, first: URL): Lookup {
  if (!isLoopback(url.hostname)) throw plainHttpError(url);
  return first.hostname.endsWith('localhost') ? { lookup: loopbackLookup } : {};
}

/** Node connects only to the addresses given here. */
const loopbackLookup: LookupFunction = async (hostname, options, done) => {
  const { lookup } = await import('node:dns');
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const own = found.filter(({ address }) => /^(?:(?:::ffff:)?127\.|::1$)/i.test(address));
    const [first] = own;
    if (!first) return done(notThisMachine(hostname, found), []);
    if (options.all) return done(null, own);
    done(null, first.address, first.family);
  });
};

function notThisMachine(hostname: string, found: readonly LookupAddress[]): MarError {
  const addresses = found.map(({ address }) => address).join(', ');
  const message = `${hostname} is ${addresses}, not this machine: with plain http, others could read your token`;
  return usageError(message, hint, { outcome: 'not-sent' });
}
