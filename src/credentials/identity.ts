import { readFileSync } from 'node:fs';
import { parseBaseUrl } from '../config/baseUrl.ts';
import { type Config, type Profile, profileOf, type StoreName } from '../config/config.ts';
import type { Environment } from '../config/folders.ts';
import { MarError, usageError } from '../errors.ts';
import { commandLine } from '../values/commandLine.ts';

/** A token is valid for one account at one origin, so it is stored under both. */
export interface TokenKey {
  email: string;
  origin: string;
}

export interface TokenStore {
  read(key: TokenKey): Promise<string | undefined>;
  write(key: TokenKey, token: string): Promise<void>;
  remove(key: TokenKey): Promise<void>;
}

export const entryName = ({ email, origin }: TokenKey) => `${email} ${origin}`;

/** In the keychain, the user name of an entry is its `entryName`. */
export const serviceName = 'mar';

/** The place a token comes from. It is shown to users, so it never holds the token. */
export type TokenSource =
  | { kind: 'variable'; name: string }
  | { kind: 'token-file'; path: string }
  | { kind: 'store'; store: StoreName };

export interface Identity {
  profile: string;
  email: string;
  baseUrl: URL;
  /** The origin that the token was issued for. */
  origin: string;
  source: TokenSource;
  /** Read from its source on the first call only: reading a keychain may start a process. */
  token(): Promise<string>;
}

export interface IdentityOptions {
  env: Environment;
  config: Config;
  profile?: string;
  baseUrl?: string;
  allowHttp?: boolean;
  store(name: StoreName): TokenStore | Promise<TokenStore>;
}

/** The profile of this run, which may not exist yet. */
export function profileName({ env, config, profile }: Omit<IdentityOptions, 'store'>): string {
  return profile || env.MAR_PROFILE || config.defaultProfile || 'default';
}

/** Allows only names that need no quotes in a file, a variable or a shell. */
export function checkProfileName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name) && name !== '__proto__') return name;
  throw usageError(
    `"${name}" cannot be the name of a profile`,
    'letters, digits, ".", "_" and "-" can: mar login --profile staging',
  );
}

/** Order of precedence: `MAR_TOKEN`, `MAR_TOKEN_FILE`, the profile's store. */
export function findIdentity(options: IdentityOptions): Identity {
  const { env, config } = options;
  const name = profileName(options);
  const profile = profileOf(config, name);
  if (!profile && (options.profile || env.MAR_PROFILE)) {
    const known = Object.keys(config.profiles ?? {}).join(', ') || 'none yet';
    throw new MarError('auth', `there is no profile "${name}" (there is: ${known})`, {
      hint: `make it: ${commandLine`mar login --profile ${name}`}`,
    });
  }
  if (env.MAR_TOKEN) return environmentIdentity(options, name, profile, 'MAR_TOKEN');
  if (env.MAR_TOKEN_FILE) return environmentIdentity(options, name, profile, 'MAR_TOKEN_FILE');
  return storedIdentity(options, name);
}

function environmentIdentity(
  { env, ...options }: IdentityOptions,
  profile: string,
  stored: Profile | undefined,
  variable: 'MAR_TOKEN' | 'MAR_TOKEN_FILE',
): Identity {
  const email = env.MAR_EMAIL || stored?.email;
  // The profile's account is valid at the profile's address only: no flag or variable changes that.
  const issuedFor = env.MAR_EMAIL
    ? env.MAR_BASE_URL || options.baseUrl || stored?.baseUrl
    : stored?.baseUrl || env.MAR_BASE_URL;
  if (!email || !issuedFor) {
    const missing = email ? 'MAR_BASE_URL' : 'MAR_EMAIL';
    throw new MarError('auth', `${variable} is set, but ${missing} is not`, {
      hint: `set ${missing}: a token is valid for one account at one address`,
    });
  }
  const value = env[variable] ?? '';
  const isFile = variable === 'MAR_TOKEN_FILE';
  return {
    profile,
    email,
    baseUrl: parseBaseUrl(options.baseUrl || env.MAR_BASE_URL || issuedFor, options),
    origin: parseBaseUrl(issuedFor, { allowHttp: true }).origin,
    source: isFile ? { kind: 'token-file', path: value } : { kind: 'variable', name: variable },
    token: readOnce(async () => cleanToken(isFile ? readTokenFile(value) : value, variable)),
  };
}

/** The identity of a profile, ignoring the token variables of the environment. */
export function storedIdentity({ env, ...options }: IdentityOptions, name: string): Identity {
  const profile = profileOf(options.config, name);
  const { store } = profile ?? {};
  if (!profile || !store) throw notLoggedIn();
  const { origin } = parseBaseUrl(profile.baseUrl, { allowHttp: true });
  return {
    profile: name,
    email: profile.email,
    baseUrl: parseBaseUrl(options.baseUrl || env.MAR_BASE_URL || profile.baseUrl, options),
    origin,
    source: { kind: 'store', store },
    token: readOnce(async () => {
      const tokens = await options.store(store);
      const token = await tokens.read({ email: profile.email, origin });
      if (token === undefined) throw notLoggedIn(`the token of profile "${name}" is gone`);
      return token;
    }),
  };
}

function readOnce(read: () => Promise<string>): () => Promise<string> {
  let token: Promise<string> | undefined;
  return () => {
    token ??= read();
    return token;
  };
}

export function loginHint({ source, profile, email }: Identity): string {
  const orLogIn = 'or unset it and log in: mar login';
  if (source.kind === 'variable') {
    return `${source.name} is not valid for ${email}: set a new token, ${orLogIn}`;
  }
  if (source.kind === 'token-file') {
    return `MAR_TOKEN_FILE (${source.path}) holds no valid token for ${email}: renew it, ${orLogIn}`;
  }
  const command = profile === 'default' ? 'mar login' : commandLine`mar login --profile ${profile}`;
  // The command comes last, so that users can paste the rest of the line.
  return `log in again (profile "${profile}", ${email}): ${command}`;
}

const notLoggedIn = (reason = 'you are not logged in') =>
  new MarError('auth', reason, {
    hint: 'mar login    log in to your service\nmar sandbox  start a local one with demo data to try things on',
  });

function readTokenFile(filePath: string): string {
  try {
    return readFileSync(filePath, 'utf8');
  } catch (error) {
    throw usageError(`cannot read MAR_TOKEN_FILE ${filePath}: ${(error as Error).message}`);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a token must not contain any
const blankOrControl = /[\s\u0000-\u001f\u007f]/;

/** Trims a token that a person or a secret manager gave: a line break at its end is common. */
export function cleanToken(input: string, from: string): string {
  const token = input.trim();
  if (token === '') throw usageError(`${from} holds no token`);
  if (blankOrControl.test(token)) throw usageError(`${from} holds more than one token`);
  return token;
}
