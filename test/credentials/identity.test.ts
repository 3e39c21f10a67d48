import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import {
  cleanToken,
  findIdentity,
  type IdentityOptions,
  type TokenKey,
  type TokenStore,
} from '../../src/credentials/identity.ts';
import { MarError } from '../../src/errors.ts';
import { temporaryFolder } from '../harness/mar.ts';

const config: Config = {
  defaultProfile: 'studio',
  profiles: {
    studio: { baseUrl: 'https://media.example/api', email: 'ines@studio.example', store: 'file' },
    lab: { baseUrl: 'https://lab.example/api', email: 'tom@lab.example', store: 'file' },
  },
};

/** A store that holds one token for every account, and says whose was asked for. */
function storeOf(tokens: Record<string, string>, asked: TokenKey[] = []): TokenStore {
  return {
    async read(key) {
      asked.push(key);
      return tokens[`${key.email} ${key.origin}`];
    },
    write: () => Promise.reject(new Error('not asked for')),
    remove: () => Promise.reject(new Error('not asked for')),
  };
}

const stored = {
  'ines@studio.example https://media.example': 'studio-token',
  'tom@lab.example https://lab.example': 'lab-token',
};

function identify(options: Partial<IdentityOptions> = {}) {
  return findIdentity({ env: {}, config, store: () => storeOf(stored), ...options });
}

function refusal(options: Partial<IdentityOptions>): MarError {
  try {
    identify(options);
  } catch (error) {
    if (error instanceof MarError) return error;
    throw error;
  }
  throw new Error('somebody was found');
}

const variables = {
  MAR_TOKEN: 'variable-token',
  MAR_EMAIL: 'ci@studio.example',
  MAR_BASE_URL: 'https://ci.example/api',
};

function tokenFileWith(text: string): string {
  const file = path.join(temporaryFolder(), 'token');
  writeFileSync(file, text);
  return file;
}

describe('the token', () => {
  it("is the one of the profile's token-file before its store, for its own service only", async () => {
    const file = tokenFileWith('file-token');
    const profile = { baseUrl: 'https://media.example/api', email: 'ines@studio.example' };
    const config = {
      profiles: { default: { ...profile, tokenFile: file, store: 'file' as const } },
    };
    const identity = identify({ config, env: { MAR_BASE_URL: 'https://other.example/api' } });
    expect(await identity.token()).toBe('file-token');
    expect(identity.source).toEqual({ kind: 'token-file', path: file, from: 'token-file' });
    expect(identity.origin).toBe('https://media.example');
  });

  it('is looked for in the store that the profile names', async () => {
    const names: string[] = [];
    const keychain: Config = {
      profiles: { default: { baseUrl: 'https://a.example/api', email: 'a@b', store: 'keychain' } },
    };
    const store = (name: string) => {
      names.push(name);
      return storeOf({ 'a@b https://a.example': 't' });
    };
    expect(await identify({ config: keychain, store }).token()).toBe('t');
    expect(names).toEqual(['keychain']);
  });

  it('that is gone from its store means to log in again', async () => {
    const identity = identify({ store: () => storeOf({}) });
    await expect(identity.token()).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('studio'),
      details: { hint: expect.stringContaining('mar login') },
    });
  });

  it.each(['token\n', ' token ', '\ttoken\r\n', '\ufefftoken\n'])(
    'in the file %j is taken without the blanks around it',
    async (text) => {
      const env = { ...variables, MAR_TOKEN: undefined, MAR_TOKEN_FILE: tokenFileWith(text) };
      expect(await identify({ env }).token()).toBe('token');
    },
  );

  it.each([
    ['', 'contains no token'],
    [' \r\n', 'contains no token'],
    ['one\ntwo\n', 'contains more than one token'],
    ['one two', 'contains more than one token'],
    ['one\0', 'contains more than one token'],
  ])('in the file %j is refused: it %s', async (text, reason) => {
    const env = { ...variables, MAR_TOKEN: undefined, MAR_TOKEN_FILE: tokenFileWith(text) };
    const error = await identify({ env })
      .token()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'usage', message: `MAR_TOKEN_FILE ${reason}` });
  });

  it('in a variable is taken without the blanks around it', async () => {
    const identity = identify({ env: { ...variables, MAR_TOKEN: ' token\n' } });
    expect(await identity.token()).toBe('token');
  });

  it('is never repeated when it is refused', () => {
    expect(() => cleanToken('s3cret s3cret', 'MAR_TOKEN')).toThrow(/^(?!.*s3cret).*$/s);
  });
});

describe('MAR_TOKEN and MAR_TOKEN_FILE', () => {
  it.each(['MAR_TOKEN', 'MAR_TOKEN_FILE'])('%s alone does not say whose it is', (name) => {
    const error = refusal({ env: { [name]: 'x' }, config: {} });
    expect(error).toMatchObject({ kind: 'auth', message: `${name} is set, but MAR_EMAIL is not` });
  });

  it('with an e-mail alone do not say where it is valid', () => {
    const error = refusal({ env: { MAR_TOKEN: 'x', MAR_EMAIL: 'a@b' }, config: {} });
    expect(error).toMatchObject({
      kind: 'auth',
      message: 'MAR_TOKEN is set, but MAR_BASE_URL is not',
    });
  });

  it("take what is missing from the profile's settings", () => {
    const identity = identify({ env: { MAR_TOKEN: 'x' } });
    expect(identity).toMatchObject({
      email: 'ines@studio.example',
      origin: 'https://media.example',
      profile: 'studio',
    });
  });

  it('with a bad MAR_BASE_URL are bad usage', () => {
    const error = refusal({ env: { ...variables, MAR_BASE_URL: 'https://x/nope' } });
    expect(error.kind).toBe('usage');
  });
});

describe('the profile', () => {
  it('is the one named "default" when none is said to be the default', () => {
    const { studio } = config.profiles ?? {};
    if (!studio) throw new Error('no such profile');
    expect(identify({ config: { profiles: { default: studio } } }).profile).toBe('default');
  });

  it.each(['--profile', 'MAR_PROFILE'])(
    'of %s that does not exist is told with those that do',
    (way) => {
      const asked =
        way === '--profile' ? { profile: 'stduio' } : { env: { MAR_PROFILE: 'stduio' } };
      const error = refusal(asked);
      expect(error).toMatchObject({
        kind: 'auth',
        message: 'profile "stduio" not found',
        details: {
          hint: 'Known profiles: studio, lab\nTo create it, run: mar login --profile stduio',
        },
      });
    },
  );

  it.each(['__proto__', 'constructor', 'toString'])('named %s does not exist by itself', (name) => {
    expect(refusal({ profile: name })).toMatchObject({ kind: 'auth' });
  });

  it('that is the default and is gone means that nobody is logged in', () => {
    const error = refusal({ config: { defaultProfile: 'gone', profiles: {} } });
    expect(error).toMatchObject({ kind: 'auth', message: 'you are not logged in' });
  });
});

describe('the origin', () => {
  it('of MAR_TOKEN is that of MAR_BASE_URL, whatever --base-url says', () => {
    const identity = identify({ env: variables, baseUrl: 'https://evil.example/api' });
    expect(identity.origin).toBe('https://ci.example');
    expect(identity.baseUrl.href).toBe('https://evil.example/api');
  });

  it('of MAR_TOKEN is that of --base-url where nothing else says it', () => {
    const env = { MAR_TOKEN: 'x', MAR_EMAIL: 'a@b' };
    const identity = identify({ env, config: {}, baseUrl: 'https://asked.example/api' });
    expect(identity.origin).toBe('https://asked.example');
  });

  it('tells schemes, hosts and ports apart, and no paths', () => {
    const origins = ['https://a.example/api', 'https://a.example:444/v2/api'].map(
      (MAR_BASE_URL) => identify({ env: { ...variables, MAR_BASE_URL } }).origin,
    );
    expect(origins).toEqual(['https://a.example', 'https://a.example:444']);
  });
});
