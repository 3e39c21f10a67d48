import {
  createHash,
  randomBytes,
  randomUUID,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';

/*
 * A password is guessable, so its hash is slow and salted. A token is 256 random bits, which no
 * hash needs to slow down, and it is looked up on every request, so its hash is fast.
 */

const cost = { N: 16_384, r: 8, p: 1 };
const keyLength = 32;

/** `scrypt$N$r$p$salt$key` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')];
  return `scrypt$${parts.join('$')}`;
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), options);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** No password has this hash. Checking against it takes as long as checking against a real one. */
export const noPassword = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

const shownPrefix = 'demo$sha256$';

/**
 * What a user's record shows as its password: it looks like a hash, stays the same for a user, and
 * comes from the id alone, so it tells nothing about the password.
 */
export const shownPassword = (userId: string): string =>
  shownPrefix + createHash('sha256').update(`shown:${userId}`).digest('base64url');

export const isShownPassword = (password: string): boolean => password.startsWith(shownPrefix);

/** 24 hexadecimal characters. */
export const newId = (): string => randomUUID().replaceAll('-', '').slice(0, 24);

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyLength, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
