import { endpoints } from '../api/endpoints.ts';
import { tokenSecret } from '../client/tokenOrigin.ts';
import { originOf } from '../config/baseUrl.ts';
import { type Config, type Profile, profileOf, type StoreName } from '../config/configFile.ts';
import {
  type Identity,
  MissingToken,
  profileIdentity,
  storedTokenName,
} from '../credentials/identity.ts';
import { MarError, runHint } from '../errors.ts';
import { isLoopback } from '../http/loopback.ts';
import { textAt } from '../json/fields.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { words } from '../values/commandLine.ts';

type Account = Pick<Identity, 'baseUrl' | 'email'>;

/** Exchanges a password for a token. The service's response decides the account's e-mail. */
export async function openSession(session: Session, account: Account, password: string) {
  const { baseUrl } = account;
  const client = clientFor(session, account, password, 'password');
  const { value } = await client.call(endpoints.sessionCreate).catch((error: unknown) => {
    throw isForeign(error) ? foreignServiceError(baseUrl, error) : error;
  });
  const [token, own] = [textAt(value, 'token'), textAt(value, 'email')];
  if (token === '' || own === '') throw foreignServiceError(baseUrl);
  return { token, email: own };
}

export async function tryNewToken(session: Session, account: Account, token: string) {
  const client = clientFor(session, account, tokenSecret(token), 'token');
  // The smallest request that needs a login.
  await client.page(endpoints.userList, { range: { from: 0, to: 0 } });
  return { email: account.email, token };
}

function clientFor(session: Session, { baseUrl, email }: Account, secret: string, noun: string) {
  const credentials = { email, secret, origin: baseUrl.origin };
  const loginHint = `Check the e-mail address and the ${noun}.`;
  return session.clientWith(credentials, baseUrl, loginHint);
}

/** Revokes a token at its service, unless `isLocal`, then deletes it from the store. Returns whether it is revoked. */
export async function discard(session: Session, identity: Identity, isLocal: boolean) {
  const { source, email, origin, profile } = identity;
  const own = session.ofProfile(profile);
  let revoked = !isLocal;
  try {
    if (!isLocal) await (await own.clientFor(identity)).call(endpoints.sessionDelete);
  } catch (error) {
    // A token that the service no longer accepts counts as revoked.
    const isUnknown = error instanceof MarError && error.details.status === 401;
    if (error instanceof MissingToken) revoked = false;
    else if (!isUnknown) throw error;
  } finally {
    own.close();
  }
  if (source.kind === 'store') await (await session.store(source.store)).remove({ email, origin });
  return revoked;
}

export const unrevokedFate = (isLocal: boolean) =>
  isLocal
    ? 'The token was deleted here, but the service still accepts it'
    : 'No token was stored, so none was revoked';

/** Whether a profile has a stored token that no other profile uses. */
export function hasOwnToken(config: Config, name: string): boolean {
  const profile = profileOf(config, name);
  const token = profile && storedTokenName(profile);
  if (token === undefined) return false;
  const others = Object.entries(config.profiles ?? {}).filter(([other]) => other !== name);
  return !others.some(([, other]) => storedTokenName(other) === token);
}

/** Discards a profile's stored token. */
export async function discardToken(
  session: Session,
  name: string,
  { profile, isLocal = false }: { profile: Profile; isLocal?: boolean },
): Promise<boolean> {
  const config = { profiles: { [name]: profile } };
  return discard(session, identityIn(session, config, name), isLocal);
}

/** The identity of a profile's stored token, whatever the flags and the environment say. */
export function identityIn(session: Session, config: Config, name: string): Identity {
  const { store } = profileOf(config, name) ?? {};
  const storeOf = (kind: StoreName) => session.store(kind);
  const options = { env: {}, config, allowHttp: true, store: storeOf };
  return profileIdentity(options, name, store && { kind: 'store', store });
}

/**
 * Stores a login. If it leaves a token behind that no profile uses, the replaced profile gets another
 * name until that token is revoked, so that a crash in between loses nothing. Returns that name.
 */
export async function saveLogin(
  session: Session,
  name: string,
  { now, token }: { now: Profile; token: string },
): Promise<string | undefined> {
  const key = { email: now.email, origin: new URL(now.baseUrl).origin };
  if (now.store) await (await session.store(now.store)).write(key, token);
  let oldName: string | undefined;
  await session.configFile.update((config) => {
    const before = profileOf(config, name);
    const isLeftBehind = hasOwnToken(config, name);
    // Without a setting, the default profile is the one with the name "default".
    config.defaultProfile ??= profileOf(config, 'default') ? 'default' : name;
    config.profiles = { ...config.profiles, [name]: now };
    if (!before || !isLeftBehind || storedTokenName(before) === storedTokenName(now)) return;
    oldName = freeName(config.profiles, `${name.slice(0, 50)}-old`);
    const { tokenCommand: _command, tokenFile: _file, ...old } = before;
    config.profiles[oldName] = old;
  });
  return oldName;
}

function freeName(taken: Readonly<Record<string, unknown>>, name: string): string {
  let free = name;
  for (let number = 2; Object.hasOwn(taken, free); number += 1) free = `${name}-${number}`;
  return free;
}

/** Revokes the token of a replaced profile and removes it. If that fails, prints how to do it. */
export async function discardReplaced(context: Context, name: string, by: string): Promise<void> {
  const { session, reporter, world } = context;
  const { [name]: profile, [by]: current } = session.configFile.read().profiles ?? {};
  if (!profile || !current) return;
  const { email, baseUrl } = profile;
  // A login to the same account may get the same token again, so it must not be revoked.
  const isSameAccount = email === current.email && originOf(baseUrl) === originOf(current.baseUrl);
  try {
    await discardToken(session, name, { profile, isLocal: isSameAccount });
  } catch (error) {
    if (!(error instanceof MarError) || world.signal.aborted) throw error;
    // A sandbox that was stopped; its next port is another one.
    const isGone = error.kind === 'network' && isLoopback(new URL(baseUrl).hostname);
    if (!isGone) {
      return reporter.warn('token-not-revoked', [
        `the token of ${email} at ${baseUrl} was replaced, but could not be revoked: ${error.message}`,
        runHint(`It is kept in profile "${name}". To revoke it`, words`mar profile remove ${name}`),
      ]);
    }
    await discardToken(session, name, { profile, isLocal: true });
  }
  await session.configFile.update((config) => {
    delete config.profiles?.[name];
  });
}

/** The response came from something else than the service. */
function isForeign(error: unknown): error is MarError {
  if (!(error instanceof MarError)) return false;
  const { status = 0 } = error.details;
  return error.kind === 'not-found' || (error.kind === 'service' && status >= 200 && status < 300);
}

function foreignServiceError(baseUrl: URL, cause?: MarError): MarError {
  return new MarError('service', `${baseUrl.href} does not respond like the service`, {
    ...cause?.details,
    hint: 'Check the host, the port and the path of the base URL. For example: https://media.example/api',
    cause,
  });
}
