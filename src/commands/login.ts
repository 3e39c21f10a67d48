import { originOf, parseBaseUrl } from '../config/baseUrl.ts';
import { type Profile, profileOf, type StoreName } from '../config/config.ts';
import type { Context } from '../context.ts';
import { checkProfileName, cleanToken, profileName } from '../credentials/identity.ts';
import { usageError } from '../errors.ts';
import type { Prompter } from '../terminal/prompt.ts';
import { readAll } from '../terminal/streams.ts';
import { type Command, type Input, stringOption } from './command.ts';
import { openSession, tryNewToken } from './session.ts';
import { plainTextWarning } from './whoami.ts';

interface Account {
  profile: string;
  baseUrl: URL;
  email: string;
}

export const command: Command = {
  name: 'login',
  summary: 'Log in and remember it',
  details:
    "Trades your e-mail and password for a token, and keeps the token in the system's keychain. The password is not kept. What is not given is asked for on a terminal.",
  endpoint: 'sessionCreate',
  options: [
    {
      flags: '--email <address>',
      summary: 'the account',
      default: "MAR_EMAIL, then the profile's",
    },
    { flags: '--password-stdin', summary: 'read the password from standard input' },
    { flags: '--token-stdin', summary: 'read a token from standard input, instead of a password' },
    {
      flags: '--insecure-storage',
      summary: 'keep the token in a file that only you can read, not in the keychain',
    },
  ],
  examples: [
    { does: 'Answer a few questions', line: 'mar login' },
    {
      does: 'A second service, under a name of its own',
      line: 'mar login --profile staging --base-url https://staging.media.example/api',
    },
    {
      does: 'With a password from a password manager',
      line: 'pass show media | mar login --email me@studio.example --password-stdin',
    },
  ],
  async run(context, input) {
    if (input.options.passwordStdin && input.options.tokenStdin) {
      throw usageError('--password-stdin and --token-stdin cannot be used together');
    }
    const store: StoreName = input.options.insecureStorage ? 'file' : 'keychain';
    const prompter = await openPrompter(context);
    let account: Account;
    let secret: string;
    try {
      // Check first: a password is useless if its token cannot be stored.
      if (store === 'keychain') await (await context.keychain()).check();
      account = await readAccount(context, input, prompter);
      secret = await readSecret(context, input, prompter);
    } finally {
      prompter?.close();
    }
    const { email, token } = input.options.tokenStdin
      ? await tryNewToken(context, account, cleanToken(secret, 'standard input'))
      : await openSession(context, account, secret);
    const { profile, baseUrl } = account;
    await remember(context, profile, { baseUrl: baseUrl.href, email, store }, token);
    await context.printer.outcome(
      { profile, email, baseUrl: baseUrl.href, store },
      `Logged in to ${baseUrl.host} as ${email}`,
    );
    if (store === 'file') context.reportOnce(plainTextWarning(context));
    const override = ['MAR_TOKEN', 'MAR_TOKEN_FILE'].find((name) => context.world.env[name]);
    if (override) {
      context.reportOnce(`note: ${override} is set, and wins over what was just stored`);
    }
  },
};

/** Opened at once, to turn the echo off for users who type ahead. Loaded only for terminals. */
async function openPrompter(context: Context): Promise<Prompter | undefined> {
  if (!context.isInteractive) return undefined;
  const { Prompter } = await import('../terminal/prompt.ts');
  const { stdin, stderr } = context.streams;
  return new Prompter(stdin, stderr, context.world.signal);
}

async function readAccount(context: Context, input: Input, prompter?: Prompter): Promise<Account> {
  const { config, flags } = context;
  const { env } = context.world;
  const profile = checkProfileName(profileName({ env, config, profile: flags.profile }));
  const known = profileOf(config, profile);
  const ask = async (label: string, fallback: string | undefined) =>
    prompter ? prompter.ask({ label, fallback }) : fallback;

  const url = flags.baseUrl || env.MAR_BASE_URL || (await ask('Base URL', known?.baseUrl));
  if (!url)
    throw usageError('the base URL is missing', 'for example --base-url https://media.example/api');
  const baseUrl = parseBaseUrl(url, flags);
  const email =
    stringOption(input, 'email') || env.MAR_EMAIL || (await ask('E-mail', known?.email));
  if (!email) throw usageError('the e-mail is missing', 'for example --email me@studio.example');
  if (email.includes(':')) throw usageError(`"${email}" is not an e-mail: it has a colon in it`);
  return { profile, baseUrl, email };
}

async function readSecret({ streams }: Context, { options }: Input, prompter?: Prompter) {
  if (options.passwordStdin || options.tokenStdin) {
    const bytes = await readAll(streams.stdin);
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    if (text === '') throw usageError('standard input is empty');
    return text;
  }
  if (!prompter) {
    throw usageError(
      'there is no terminal to ask for the password on',
      'give it with --password-stdin, or a token with --token-stdin',
    );
  }
  const password = await prompter.ask({ label: 'Password', isHidden: true });
  if (password === '') throw usageError('the password is empty');
  return password;
}

async function remember(
  context: Context,
  name: string,
  now: Required<Profile>,
  token: string,
): Promise<void> {
  const before = profileOf(context.config, name);
  const tokens = await context.store(now.store);
  await tokens.write({ email: now.email, origin: new URL(now.baseUrl).origin }, token);
  await context.configFile.update((config) => {
    config.defaultProfile ??= name;
    config.profiles = { ...config.profiles, [name]: now };
  });
  if (!before?.store) return;
  const { store, email, baseUrl } = before;
  const isSame = store === now.store && email === now.email && baseUrl === now.baseUrl;
  // Tokens are stored by origin, so an invalid base URL has none.
  const origin = originOf(baseUrl);
  if (isSame || origin === undefined) return;
  const oldTokens = await context.store(store);
  await oldTokens.remove({ email, origin });
}
