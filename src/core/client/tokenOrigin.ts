import { MarError, runHint } from '../errors.ts';
import { words } from '../values/commandLine.ts';

/*
 * Where a token may go: only to the origin that issued it. Every `Authorization` header for the
 * service is made here, after that check.
 */

export interface Credentials {
  email: string;
  secret: string;
  /** The origin that issued the credentials. */
  origin: string;
}

/** The form in which the service accepts a token in place of a password. */
export const tokenSecret = (token: string) => `token-${token}`;

export function authorizationFor({ email, secret, origin }: Credentials, url: URL): string {
  checkOrigin(origin, url);
  return `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`;
}

export function checkOrigin(issuedFor: string, url: URL): void {
  if (url.origin === issuedFor) return;
  throw new MarError('auth', `the token was issued for ${issuedFor}, not for ${url.origin}`, {
    hint: runHint('To log in there', words`mar login --base-url ${`${url.origin}/api`}`),
    outcome: 'not-sent',
  });
}
