import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Database } from './database.ts';
import type { Statement } from './libsql.ts';
import { unauthorized } from './responses.ts';

/** Credentials from an `Authorization` header. A secret that starts with `token-` is a token. */
export type Credentials =
  | { readonly kind: 'password'; readonly email: string; readonly password: string }
  | { readonly kind: 'token'; readonly email: string; readonly token: string };

/** The user who sent a request. The token is missing when they log in by password. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly token: string | undefined;
}

export const tokenPrefix = 'token-';

export function readCredentials(header: string | undefined): Credentials {
  if (header === undefined) throw unauthorized('the Authorization header is missing');
  const [, encoded] = /^basic +([a-z0-9+/]+={0,2}) *$/i.exec(header) ?? [];
  const [, email, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (email === undefined || secret === undefined) {
    throw unauthorized('the Authorization header must be Basic <base64(email:secret)>');
  }
  const login = normalEmail(email);
  return secret.startsWith(tokenPrefix)
    ? { kind: 'token', email: login, token: secret.slice(tokenPrefix.length) }
    : { kind: 'password', email: login, password: secret };
}

const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Accounts and their tokens. Passwords and tokens are stored only as hashes. */
export class Accounts {
  readonly #byEmail: Statement;
  readonly #byToken: Statement;
  readonly #insert: Statement;
  readonly #rename: Statement;
  readonly #setPassword: Statement;
  readonly #insertToken: Statement;
  readonly #deleteToken: Statement;

  constructor(database: Database) {
    this.#byEmail = database.prepare('SELECT user_id, password_hash FROM accounts WHERE email = ?');
    this.#byToken = database.prepare(
      `SELECT user_id FROM tokens JOIN accounts USING (user_id) WHERE hash = ? AND email = ?`,
    );
    this.#insert = database.prepare('INSERT INTO accounts VALUES (?, ?, ?)');
    this.#rename = database.prepare('UPDATE accounts SET email = ? WHERE user_id = ?');
    this.#setPassword = database.prepare('UPDATE accounts SET password_hash = ? WHERE user_id = ?');
    this.#insertToken = database.prepare('INSERT INTO tokens VALUES (?, ?)');
    this.#deleteToken = database.prepare('DELETE FROM tokens WHERE hash = ?');
  }

  /**
   * Checks a password even if the e-mail is unknown, and gives the same error as for a wrong
   * password: neither time nor words tell which e-mails exist.
   */
  async authenticate(credentials: Credentials): Promise<Caller> {
    const { email } = credentials;
    if (credentials.kind === 'token') {
      const row = this.#byToken.get(hashToken(credentials.token), email);
      if (row === undefined) throw unauthorized('the token is not known, or was revoked');
      return { userId: String(row[0]), email, token: credentials.token };
    }
    const [userId, hash] = this.#byEmail.get(email) ?? [];
    const isRight = await verifyPassword(credentials.password, String(hash ?? noPassword));
    if (!isRight || userId === undefined) throw unauthorized('the e-mail or the password is wrong');
    return { userId: String(userId), email, token: undefined };
  }

  issueToken(userId: string): string {
    const token = randomBytes(32).toString('base64url');
    this.#insertToken.run(hashToken(token), userId);
    return token;
  }

  revokeToken(token: string): void {
    this.#deleteToken.run(hashToken(token));
  }

  add(userId: string, email: string, passwordHash: string): void {
    this.#insert.run(userId, normalEmail(email), passwordHash);
  }

  ownerOf(email: string): string | undefined {
    return this.#byEmail.get(normalEmail(email))?.[0] as string | undefined;
  }

  rename(userId: string, email: string): void {
    this.#rename.run(normalEmail(email), userId);
  }

  setPassword(userId: string, passwordHash: string): void {
    this.#setPassword.run(passwordHash, userId);
  }
}

const cost = { N: 16_384, r: 8, p: 1 };
const keyLength = 32;

/** `scrypt$N$r$p$salt$key` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, cost);
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')];
  return `scrypt$${parts.join('$')}`;
}

/** A hash that no password has, for as much work as with a real one. */
const noPassword = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await deriveKey(password, Buffer.from(salt, 'base64url'), options);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function deriveKey(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyLength, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** A fast hash is enough: a token is 256 random bits, which nobody can guess. */
const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const standInPrefix = 'demo$sha256$';

/** The stand-in for the password in a user's record. It depends on the id alone. */
export const standInPassword = (userId: string): string =>
  standInPrefix + createHash('sha256').update(`shown:${userId}`).digest('base64url');

export const isStandInPassword = (password: string): boolean => password.startsWith(standInPrefix);
