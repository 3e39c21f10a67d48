import { endpoints } from '../api/endpoints.ts';
import { tokenSecret } from '../client/client.ts';
import { parseBaseUrl } from '../config/baseUrl.ts';
import type { StoreName } from '../config/config.ts';
import type { Context } from '../context.ts';
import { cleanToken, profileName } from '../credentials/identity.ts';
import { MarError, usageError } from '../errors.ts';
import { readAll } from '../terminal/streams.ts';
import { type Command, type Input, textOption } from './command.ts';
import { plainTextWarning } from './whoami.ts';

/** Where to log in, and as whom. */
interface Account {
  profile: string;
  baseUrl: URL;
  email: string;
}

export const login: Command = {
  name: 'login',
  summary: 'Log in and remember it',
  details:
    'Trades your e-mail and password for a token, and remembers the token in a profile. The password is not kept.',
  endpoint: 'sessionCreate',
  options: [
    { flags: '--email <address>', summary: "the account (default: MAR_EMAIL, then the profile's)" },
    { flags: '--password-stdin', summary: 'read the password from standard input' },
    { flags: '--token-stdin', summary: 'read a token from standard input, instead of a password' },
    { flags: '--insecure-storage', summary: 'keep the token in a file that only you can read' },
  ],
  examples: [
    {
      does: 'With a password from a password manager',
      line: 'pass show media | mar login --base-url https://media.example/api --email me@studio.example --password-stdin --insecure-storage',
    },
    {
      does: 'With a token that you have',
      line: 'mar login --base-url https://media.example/api --email me@studio.example --token-stdin --insecure-storage < token.txt',
    },
  ],
  async run(context, input) {
    const store = chooseStore(input);
    const account = await readAccount(context, input);
    const { email, token } = await obtainToken(context, input, account);
    await remember(context, { ...account, email }, store, token);
    const { profile, baseUrl } = account;
    await context.printer.outcome(
      { profile, email, baseUrl: baseUrl.href, store },
      `Logged in to ${baseUrl.host} as ${email}`,
    );
    if (store === 'file') context.note(plainTextWarning(context));
    const wins = ['MAR_TOKEN', 'MAR_TOKEN_FILE'].find((name) => context.world.env[name]);
    if (wins) context.note(`note: ${wins} is set, and wins over what was just stored`);
  },
};

function chooseStore(input: Input): StoreName {
  if (input.options.insecureStorage) return 'file';
  throw new MarError('credential-store', 'there is no keychain to keep the token in', {
    hint: 'keep it in a file that only you can read: mar login --insecure-storage\nor keep it yourself: set MAR_TOKEN, MAR_EMAIL and MAR_BASE_URL',
  });
}

async function readAccount(context: Context, input: Input): Promise<Account> {
  const { env } = context.world;
  const { flags } = context;
  const config = await context.configFile.read();
  const profile = profileName({ env, config, profile: flags.profile });
  const known = config.profiles?.[profile];
  const baseUrl = flags.baseUrl || env.MAR_BASE_URL || known?.baseUrl;
  if (!baseUrl)
    throw usageError('the base URL is missing', 'for example --base-url https://media.example/api');
  const email = textOption(input, 'email') || env.MAR_EMAIL || known?.email;
  if (!email) throw usageError('the e-mail is missing', 'for example --email me@studio.example');
  if (email.includes(':')) throw usageError(`"${email}" is not an e-mail: it has a colon in it`);
  return { profile, baseUrl: parseBaseUrl(baseUrl, flags), email };
}

async function obtainToken(
  context: Context,
  input: Input,
  { baseUrl, email }: Account,
): Promise<{ email: string; token: string }> {
  const { passwordStdin, tokenStdin } = input.options;
  if (Boolean(passwordStdin) === Boolean(tokenStdin)) {
    throw usageError('give the password with --password-stdin, or a token with --token-stdin');
  }
  const { origin } = baseUrl;
  const secret = await readAll(context.streams.stdin);
  if (passwordStdin) {
    const password = secret.replace(/\r?\n$/, '');
    if (password === '') throw usageError('standard input holds no password');
    const client = context.clientAs({ email, secret: password, origin }, baseUrl);
    const { value } = await client.call(endpoints.sessionCreate);
    return { email: value.email, token: value.token };
  }
  const token = cleanToken(secret, 'standard input');
  const client = context.clientAs({ email, secret: tokenSecret(token), origin }, baseUrl);
  // A token that does not work is not worth keeping.
  await client.page(endpoints.userList, { range: { from: 0, to: 0 } });
  return { email, token };
}

async function remember(
  context: Context,
  { profile, baseUrl, email }: Account,
  store: StoreName,
  token: string,
): Promise<void> {
  await context.store(store).write({ email, origin: baseUrl.origin }, token);
  await context.configFile.update((config) => {
    config.defaultProfile ??= profile;
    config.profiles = { ...config.profiles, [profile]: { baseUrl: baseUrl.href, email, store } };
  });
}
