import { createHash, randomBytes } from 'node:crypto';
import { demoPassword } from '../constants.ts';
import { badRequest, HttpError, unauthorized } from '../http/responses.ts';
import type { Database } from './database.ts';

type Credentials = ReturnType<typeof readCredentials>;

/** The user who sent a request. The token is missing when they log in by password. */
export type Caller = ReturnType<Accounts['authenticate']>;

export type Account = ReturnType<Accounts['list']>[number];

/** Marks a secret as a token, not a password. */
const tokenPrefix = 'token-';

export function readCredentials(header: string | undefined) {
  if (header === undefined) throw unauthorized('the Authorization header is missing');
  const [, encoded = ''] = /^basic +([a-z0-9+/]+={0,2}) *$/i.exec(header) ?? [];
  const [, login, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (login === undefined || secret === undefined) {
    throw unauthorized('the Authorization header must be Basic <base64(email:secret)>');
  }
  const email = normalEmail(login);
  return secret.startsWith(tokenPrefix)
    ? { kind: 'token' as const, email, secret: secret.slice(tokenPrefix.length) }
    : { kind: 'password' as const, email, secret };
}

const normalEmail = (email: string): string => email.trim().toLowerCase();

export type Accounts = ReturnType<typeof accountsIn>;

/** Accounts and their tokens, which are stored only as hashes. All have the same password at first. */
export function accountsIn(database: Database) {
  const byEmail = (email: string) =>
    database.get('SELECT user_id FROM accounts WHERE email = ?', email);
  const acceptToken = (userId: string, token: string) =>
    database.run('INSERT OR REPLACE INTO tokens VALUES (?, ?)', hashToken(token), userId);
  /** The users who can log in, in the order of the list of users. */
  const list = () =>
    database
      .all(
        `SELECT user_id, email, body ->> '$.name',
           (SELECT count(*) FROM tokens WHERE user_id = accounts.user_id)
         FROM records JOIN accounts ON user_id = id WHERE kind = 'User' ORDER BY seq DESC`,
      )
      .map(([userId, email, name, tokens]) => ({
        userId: String(userId),
        email: String(email),
        name: String(name ?? ''),
        /** How many are valid. */
        tokens: Number(tokens),
      }));
  const isPassword = (userId: string, secret: string) => {
    const [shown] = database.get(
      `SELECT body ->> '$.password' FROM records WHERE kind = 'User' AND id = ?`,
      userId,
    );
    const isChanged = shown !== standInPassword(userId);
    return isChanged ? shown === standInOfNew(secret) : secret === demoPassword;
  };
  return {
    list,
    acceptToken,
    authenticate({ kind, email, secret }: Credentials) {
      if (kind === 'token') {
        const [userId] = database.get(
          'SELECT user_id FROM tokens JOIN accounts USING (user_id) WHERE hash = ? AND email = ?',
          hashToken(secret),
          email,
        );
        if (userId === undefined) throw unauthorized('the token is unknown or was revoked');
        return { userId: String(userId), email, token: secret };
      }
      const [userId] = byEmail(email);
      if (userId === undefined || !isPassword(String(userId), secret)) {
        throw unauthorized('wrong e-mail or password');
      }
      return { userId: String(userId), email };
    },
    issueToken(userId: string): string {
      const token = newToken();
      acceptToken(userId, token);
      return token;
    },
    /** The account whose user comes first in the list of users. */
    first() {
      const [first] = list();
      if (first === undefined) throw new Error('no accounts');
      // Other passwords cannot be shown: only their hashes are stored.
      const password = isPassword(first.userId, demoPassword) ? demoPassword : undefined;
      return { ...first, password };
    },
    revokeToken: (token: string) =>
      database.run('DELETE FROM tokens WHERE hash = ?', hashToken(token)),
    revokeAll: (userId: string) => database.run('DELETE FROM tokens WHERE user_id = ?', userId),
    add: (userId: string, email: string) =>
      database.run('INSERT INTO accounts VALUES (?, ?)', userId, normalEmail(email)),
    rename(userId: string, email: string): void {
      if (email.includes(':') || email.trim() === '') {
        throw badRequest('emailNormal must not be empty or contain a colon', 'emailNormal');
      }
      const [owner = userId] = byEmail(normalEmail(email));
      if (owner !== userId) {
        throw new HttpError(409, 'conflict', `${email} belongs to another user`, 'emailNormal');
      }
      database.run('UPDATE accounts SET email = ? WHERE user_id = ?', normalEmail(email), userId);
    },
  };
}

export const newToken = (): string => randomBytes(32).toString('base64url');

/** A fast hash is enough: 256 random bits cannot be guessed. */
const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The stand-in for the first password in a user's record. It depends on the id alone. */
export const standInPassword = (userId: string): string => standIn(`shown:${userId}`);

/** The stand-in for another password. */
export const standInOfNew = (password: string): string => standIn(`new:${password}`);

const standIn = (text: string): string =>
  `demo$sha256$${createHash('sha256').update(text).digest('base64url')}`;
