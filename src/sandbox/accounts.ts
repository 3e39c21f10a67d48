import type { Caller } from './call.ts';
import type { Statement } from './connection.ts';
import type { Database } from './database.ts';
import { unauthorized } from './refusal.ts';
import { hashToken, newToken, noPassword, verifyPassword } from './secrets.ts';

/** What an `Authorization` header holds. A secret that begins with `token-` is a token. */
export type Credentials =
  | { readonly kind: 'password'; readonly email: string; readonly password: string }
  | { readonly kind: 'token'; readonly email: string; readonly token: string };

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

/** Who may log in, and the tokens that were given out. Neither a password nor a token is stored. */
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

  /** The one that the credentials belong to; a password is checked as slowly for no account. */
  async authenticate(credentials: Credentials): Promise<Caller> {
    const { email } = credentials;
    if (credentials.kind === 'token') {
      const row = this.#byToken.get(hashToken(credentials.token), email);
      if (row === undefined) throw unauthorized('the token is not known, or was revoked');
      return { userId: String(row[0]), email, token: credentials.token };
    }
    const [userId, hash] = this.#byEmail.get(email) ?? [];
    const right = await verifyPassword(credentials.password, String(hash ?? noPassword));
    if (!right || userId === undefined) throw unauthorized('the e-mail or the password is wrong');
    return { userId: String(userId), email, token: undefined };
  }

  issueToken(userId: string): string {
    const token = newToken();
    this.#insertToken.run(hashToken(token), userId);
    return token;
  }

  revokeToken(token: string): void {
    this.#deleteToken.run(hashToken(token));
  }

  add(userId: string, email: string, passwordHash: string): void {
    this.#insert.run(userId, normalEmail(email), passwordHash);
  }

  /** The account that logs in with this e-mail. */
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
