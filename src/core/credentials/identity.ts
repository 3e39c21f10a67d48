import { originOf, parseBaseUrl } from '../config/baseUrl.ts';
import {
  type Config,
  type Profile,
  profileName,
  profileOf,
  type StoreName,
} from '../config/configFile.ts';
import { type ErrorKind, type Hint, MarError, runHint, usageError, withFacts } from '../errors.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { readReason } from '../files/systemReason.ts';
import { splitCommand, words } from '../values/commandLine.ts';
import { lazily } from '../values/concurrency.ts';
import type { Environment } from '../values/environment.ts';

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

/** Names the place of a profile's stored token, which profiles of one account share. */
export function storedTokenName(profile: Profile): string | undefined {
  const origin = originOf(profile.baseUrl);
  if (!profile.store || origin === undefined) return undefined;
  return `${profile.store} ${entryName({ ...profile, origin })}`;
}

export const entryName = ({ email, origin }: TokenKey) => `${email} ${origin}`;

/** In the keychain, the user name of an entry is its `entryName`. */
export const serviceName = 'mar';

/** The place a token comes from. It is shown to users, so it never holds the token. */
export type TokenSource =
  | { kind: 'variable'; name: string }
  | { kind: 'token-file'; path: string; from: 'MAR_TOKEN_FILE' | 'token-file' }
  | { kind: 'command'; program: string }
  | { kind: 'store'; store: StoreName };

export const isFromEnvironment = (source: TokenSource): boolean =>
  source.kind === 'variable' || (source.kind === 'token-file' && source.from === 'MAR_TOKEN_FILE');

/** The store of a profile no longer has its token. */
export class MissingToken extends MarError {}

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
  /** Runs a profile's `token-command`. */
  tokenFromCommand?(command: string): Promise<string>;
  /** Called before a file that the user named is read. */
  onTokenFile?(file: string): void | Promise<void>;
}

/** Allows only names that need no quotes in a file, a variable or a shell. */
export function checkProfileName(name: string, flag?: string): string {
  if (/^(?!__proto__$)[\w.-]{1,64}$/.test(name)) return name;
  const hint = {
    text: 'Use letters, digits, ".", "_" and "-". For example:',
    command: words`mar login --profile staging`,
  };
  throw usageError(`invalid profile name "${name}"`, hint, { flag, value: name });
}

/** Order of precedence: `MAR_TOKEN`, `MAR_TOKEN_FILE`, the profile's `token-command`, `token-file`, store. */
export function findIdentity(options: IdentityOptions): Identity {
  const { env, config } = options;
  const name = profileName(options);
  const profile = profileOf(config, name);
  if (!profile && (options.profile || env.MAR_PROFILE)) {
    throw unknownProfile('auth', config, name);
  }
  for (const variable of ['MAR_TOKEN', 'MAR_TOKEN_FILE', 'MAR_EMAIL', 'MAR_BASE_URL']) {
    // An empty token must not fall back to another account: in CI, it means that a secret is missing.
    if (env[variable] === '') {
      throw usageError(
        `${variable} is set, but empty`,
        `In CI, check that its secret exists and that this job can read it. To use the profile instead, unset ${variable}.`,
      );
    }
  }
  if (profile && (options.profile || env.MAR_PROFILE)) checkEnvironment(options, name, profile);
  if (env.MAR_TOKEN) return environmentIdentity(options, name, profile, 'MAR_TOKEN');
  if (env.MAR_TOKEN_FILE) return environmentIdentity(options, name, profile, 'MAR_TOKEN_FILE');
  return profileIdentity(options, name, profile && profileSource(profile));
}

/**
 * A profile that was named is the one that is used: the environment must not send the command to
 * another service, or as somebody else.
 */
function checkEnvironment({ env }: IdentityOptions, name: string, profile: Profile): void {
  const hrefOf = (url: string) => parseBaseUrl(url, { allowHttp: true }).href;
  const isElsewhere = env.MAR_BASE_URL && hrefOf(env.MAR_BASE_URL) !== hrefOf(profile.baseUrl);
  const isOther = env.MAR_EMAIL && env.MAR_EMAIL !== profile.email;
  if (!isElsewhere && !isOther) return;
  const [variable, named, own] = isElsewhere
    ? ['MAR_BASE_URL', env.MAR_BASE_URL, profile.baseUrl]
    : ['MAR_EMAIL', env.MAR_EMAIL, profile.email];
  throw usageError(
    `profile "${name}" is for ${own}, but ${variable} is ${named}`,
    `Nothing was sent. To use the profile, unset ${variable}. To use the environment, do not name a profile.`,
    { flag: '--profile', value: name },
  );
}

function unknownProfile(kind: ErrorKind, { profiles = {} }: Config, name: string): MarError {
  const known = Object.keys(profiles).join(', ');
  const hint = runHint('To create it', words`mar login --profile ${name}`);
  return new MarError(kind, `profile "${name}" not found`, {
    hint: known ? [`Known profiles: ${known}`, hint] : hint,
    value: kind === 'usage' ? name : undefined,
  });
}

export function knownProfile(config: Config, name: string): Profile {
  const profile = profileOf(config, name);
  if (!profile) throw unknownProfile('usage', config, name);
  return profile;
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
      hint: `Set ${missing}, too: a token is valid for one account at one address.`,
    });
  }
  const value = env[variable] ?? '';
  const isFile = variable === 'MAR_TOKEN_FILE';
  // A mistake in a variable is reported at once; a file is read when its token is needed.
  const token = isFile ? '' : cleanToken(value, variable);
  return {
    profile,
    email,
    baseUrl: chosenBaseUrl({ env, ...options }, issuedFor),
    origin: parseBaseUrl(issuedFor, { allowHttp: true }).origin,
    source: isFile
      ? { kind: 'token-file', path: value, from: 'MAR_TOKEN_FILE' }
      : { kind: 'variable', name: variable },
    token: lazily(async () => (isFile ? readTokenFile(value, variable, options) : token)),
  };
}

/** The base URL of the flag, of the environment, or else another one. */
function chosenBaseUrl({ baseUrl, env, ...options }: IdentityOptions, other: string): URL {
  const flag = baseUrl ? '--base-url' : undefined;
  return withFacts({ flag }, () => parseBaseUrl(baseUrl || env.MAR_BASE_URL || other, options));
}

/** The place of a profile's token; undefined while it is logged out. */
export function profileSource(profile: Profile): TokenSource | undefined {
  const { tokenCommand, tokenFile, store } = profile;
  if (tokenCommand !== undefined) {
    // The rest of the command is not shown, because it may hold a secret; so may the value of a variable.
    const [program = ''] = splitCommand(tokenCommand) ?? [];
    return { kind: 'command', program: program.replace(/=.*/s, '=…') };
  }
  if (tokenFile !== undefined) return { kind: 'token-file', path: tokenFile, from: 'token-file' };
  return store && { kind: 'store', store };
}

/**
 * The identity of a profile with the token of a source. The token is bound to the profile's own base
 * URL: no flag or variable changes that.
 */
export function profileIdentity(
  { env, ...options }: IdentityOptions,
  name: string,
  source: TokenSource | undefined,
): Identity {
  const profile = profileOf(options.config, name);
  if (!profile || !source) {
    throw new MarError('auth', 'you are not logged in', {
      hint: [
        runHint('To log in', words`mar login`),
        runHint(
          'To try mar with demo data on this machine',
          words`mar sandbox --background --login`,
        ),
      ],
    });
  }
  const { email, baseUrl, tokenCommand = '' } = profile;
  const { origin } = parseBaseUrl(baseUrl, { allowHttp: true });
  const readToken = async () => {
    if (source.kind === 'token-file') {
      return readTokenFile(source.path, `the token-file of profile "${name}"`, options);
    }
    if (source.kind !== 'store') return (await options.tokenFromCommand?.(tokenCommand)) ?? '';
    const tokens = await options.store(source.store);
    const token = await tokens.read({ email, origin });
    if (token !== undefined) return token;
    const place = source.store === 'keychain' ? 'the keychain' : 'the token file';
    throw new MissingToken('auth', `the token of profile "${name}" is no longer in ${place}`, {
      hint: runHint('To log in again', loginTo(source.store)),
    });
  };
  return {
    profile: name,
    email,
    baseUrl: chosenBaseUrl({ env, ...options }, baseUrl),
    origin,
    source,
    token: lazily(readToken),
  };
}

/** The source as people know it: `MAR_TOKEN`, `token-file (/path)`, `token-command (op)`. */
export function sourceName(source: TokenSource): string {
  switch (source.kind) {
    case 'variable':
      return source.name;
    case 'token-file':
      return `${source.from} (${source.path})`;
    case 'command':
      return `token-command (${source.program})`;
    case 'store':
      return source.store;
  }
}

/** A token that was in a file goes there again: there may be no keychain. */
const loginTo = (store: StoreName) =>
  store === 'keychain' ? words`mar login` : words`mar login --insecure-storage`;

export function loginHint({ source, profile, email }: Identity): Hint {
  const command = words`mar login`;
  if (source.kind === 'store') {
    const again = `To log in again as ${email} (profile "${profile}")`;
    return runHint(again, loginTo(source.store));
  }
  const problem = `${sourceName(source)} has no valid token for ${email}.`;
  if (isFromEnvironment(source)) {
    return { text: `${problem} Put a new token there, or unset it and run:`, command };
  }
  return source.kind === 'command'
    ? { text: `The ${problem} Put a new token where this command reads it.` }
    : runHint(`The ${problem} If it is for a sandbox`, words`mar sandbox --background --login`);
}

async function readTokenFile(
  filePath: string,
  from: string,
  { onTokenFile }: Pick<IdentityOptions, 'onTokenFile'>,
): Promise<string> {
  await onTokenFile?.(filePath);
  let text: string;
  try {
    text = readRegularFile(filePath).toString('utf8');
  } catch (error) {
    if (error instanceof MarError) {
      throw usageError(error.message, `Put the token into a regular file for ${from}.`);
    }
    throw usageError(`cannot read ${from} ${filePath}: ${readReason(error)}`, { cause: error });
  }
  return cleanToken(text, from);
}

/** Marks a token in the credentials of a request. */
const tokenPrefix = 'token-';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a token must not contain any
const blankOrControl = /[\s\u0000-\u001f\u007f]/;

/** Trims a token that a person or a secret manager gave: a line break at its end is common. */
export function cleanToken(input: string, from: string): string {
  const token = input.trim();
  if (token === '') {
    const hint = { text: 'Put a token there, or remove it and run:', command: words`mar login` };
    throw usageError(`${from} contains no token`, hint);
  }
  // The character that stands for invalid bytes.
  if (token.includes('\ufffd')) throw usageError(`${from} is not valid UTF-8`);
  if (blankOrControl.test(token)) throw usageError(`${from} contains more than one token`);
  if (token.startsWith(tokenPrefix)) {
    throw usageError(
      `${from} starts with "${tokenPrefix}", which is not part of the token`,
      `Remove "${tokenPrefix}": mar adds it to each request.`,
    );
  }
  return token;
}
