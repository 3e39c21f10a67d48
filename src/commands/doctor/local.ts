import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Context } from '../../context.ts';
import type { Identity } from '../../credentials/identity.ts';
import { tokenFileExposure } from '../../credentials/tokenFile.ts';
import { MarError } from '../../errors.ts';
import { describeNoProxy, describeProxy } from '../../http/proxy.ts';
import { version } from '../../version.ts';
import { describeSource, plainTextWarning } from '../whoami.ts';
import { type Finding, failed, ok, skipped, warning } from './checkup.ts';

/*
 * What can be checked without the network.
 */

const oldestNode = [20, 19] as const;

export function checkProgram({ world }: Context): Finding {
  const [major = 0, minor = 0] = world.nodeVersion.replace('v', '').split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  const message = `mar ${version}, Node ${world.nodeVersion} on ${world.platform}`;
  if (!isOld) return ok('Program', message);
  return failed('Program', 'usage', message, `mar needs Node ${oldestNode.join('.')} or newer`);
}

export function checkConfig({ configFile }: Context): Finding {
  if (!existsSync(configFile.path)) return ok('Config', `${configFile.path} (not there yet)`);
  try {
    configFile.read();
    return ok('Config', configFile.path);
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    return failed('Config', error.kind, error.message, error.details.hint);
  }
}

/** Who commands would act as; nobody is a failure, since no command works then. */
export function checkProfile(context: Context): { finding: Finding; identity?: Identity } {
  try {
    const identity = context.identity();
    const { profile, email, baseUrl } = identity;
    return { identity, finding: ok('Profile', `${profile}: ${email} at ${baseUrl.href}`) };
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    return { finding: failed('Profile', error.kind, error.message, error.details.hint) };
  }
}

export function checkToken(context: Context, { source }: Identity): Finding {
  const from = `from ${describeSource(context, source)}`;
  if (source.kind !== 'store' || source.store !== 'file') return ok('Token', from);
  context.note(plainTextWarning(context));
  const exposure = tokenFileExposure(context.folders.config, context.world.platform);
  const hints = [exposure, 'it is stored in plain text: mar login keeps it in the keychain'];
  return warning('Token', from, hints.filter(Boolean).join('\n'));
}

/** A real round trip, with an entry that is thrown away. It matters if the token is kept there. */
export async function checkKeychain(
  context: Context,
  identity: Identity | undefined,
): Promise<Finding> {
  const { source } = identity ?? {};
  const isNeeded = source?.kind === 'store' && source.store === 'keychain';
  const name = 'Keychain';
  try {
    const { keychain } = context;
    const key = { email: `doctor-${randomUUID()}`, origin: 'https://doctor.invalid' };
    const token = randomUUID();
    await keychain.write(key, token);
    const back = await keychain.read(key);
    await keychain.remove(key);
    if (back === token) return ok(name, 'an entry was written, read and removed');
    return failed(name, 'credential-store', 'an entry came back changed');
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    const { kind, message, details } = error;
    if (isNeeded) return failed(name, kind, message, details.hint);
    return warning(name, `${message} (the token is not kept there)`, details.hint);
  }
}

const proxyVariables = {
  HTTPS_PROXY: describeProxy,
  HTTP_PROXY: describeProxy,
  ALL_PROXY: describeProxy,
  NO_PROXY: describeNoProxy,
};

export function checkProxy({ world: { env } }: Context): Finding {
  const set = Object.entries(proxyVariables).flatMap(([variable, describe]) =>
    [variable, variable.toLowerCase()]
      .filter((name) => env[name])
      .map((name) => `${name}=${describe(env[name] ?? '')}`),
  );
  if (set.length === 0) return skipped('Proxy', 'none set');
  return ok('Proxy', set.join(', '));
}

export function checkCertificates({ world: { env } }: Context): Finding {
  const file = env.NODE_EXTRA_CA_CERTS;
  if (!file) return skipped('CA', "Node's own certificates");
  if (existsSync(file)) return ok('CA', `NODE_EXTRA_CA_CERTS=${file}`);
  return warning(
    'CA',
    `NODE_EXTRA_CA_CERTS=${file} is not there`,
    'Node ignores it: mend the path',
  );
}
