import path from 'node:path';
import type { Environment } from '../../config/folders.ts';
import { KeychainFailure } from './failure.ts';

export interface BusAddress {
  /** In D-Bus's own form, for the library that reads it. */
  text: string;
  /** As `node:net` takes it; the name of an abstract socket begins with a NUL. */
  socketPath: string;
}

/** Where the session bus may be, in the order to try. Never empty. */
export function busAddresses(env: Environment): BusAddress[] {
  const given = env.DBUS_SESSION_BUS_ADDRESS;
  if (given) {
    const addresses = given.split(';').flatMap(parseAddress);
    if (addresses.length > 0) return addresses;
    throw new KeychainFailure('absent', `DBUS_SESSION_BUS_ADDRESS names no local socket: ${given}`);
  }
  if (env.XDG_RUNTIME_DIR) {
    const socketPath = path.join(env.XDG_RUNTIME_DIR, 'bus');
    return [{ text: `unix:path=${escapeValue(socketPath)}`, socketPath }];
  }
  throw new KeychainFailure(
    'absent',
    'neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set',
  );
}

/** `unix:path=/run/user/1000/bus,guid=…`. Other transports are nothing that a desktop uses. */
function parseAddress(text: string): BusAddress[] {
  if (!text.startsWith('unix:')) return [];
  const settings = new Map(
    text
      .slice('unix:'.length)
      .split(',')
      .map((pair) => {
        const equals = pair.indexOf('=');
        return [pair.slice(0, equals), pair.slice(equals + 1)];
      }),
  );
  const file = unescapeValue(settings.get('path'));
  if (file) return [{ text, socketPath: file }];
  const abstract = unescapeValue(settings.get('abstract'));
  return abstract ? [{ text, socketPath: `\0${abstract}` }] : [];
}

function unescapeValue(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function escapeValue(value: string): string {
  return Array.from(Buffer.from(value), (byte) => {
    const character = String.fromCharCode(byte);
    return /[-0-9A-Za-z_/.*]/.test(character)
      ? character
      : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
