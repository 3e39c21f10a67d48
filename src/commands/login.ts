import { parseBaseUrl } from '../config/baseUrl.ts';
import { type Profile, profileOf, type StoreName } from '../config/config.ts';
import type { Context } from '../context.ts';
import {
  checkProfileName,
  cleanToken,
  entryName,
  profileName,
  tokenOriginOf,
} from '../credentials/identity.ts';
import { MarError, usageError } from '../errors.ts';
import type { Prompter } from '../terminal/prompt.ts';
import { readAll } from '../terminal/streams.ts';
import { type Command, type Input, stringOption } from './command.ts';
import { openSession, tryNewToken } from './session.ts';
import { plainTextWarning } from './whoami.ts';

export const command: Command = {
  name: 'login',
  summary: 'Log in and store the token',
  details:
    "Exchanges your e-mail and password for a token and stores the token in the system's keychain. The password is not stored. On a terminal, mar asks for values that you do not give.",
  endpoint: 'sessionCreate',
  options: [
    {
      flags: '--email <address>',
      summary: 'e-mail of the account',
      default: "MAR_EMAIL, then the profile's",
    },
    { flags: '--password-stdin', summary: 'read the password from standard input' },
    { flags: '--token-stdin', summary: 'read a token from standard input instead of a password' },
    { flags: '--print-token', summary: 'print the token instead of storing it, for CI' },
    {
      flags: '--insecure-storage',
      summary: 'store the token in a file that only you can read, not in the keychain',
    },
  ],
  examples: [
    { does: 'Log in interactively', line: 'mar login' },
    {
      does: 'Log in to a second service',
      line: 'mar login --profile staging --base-url https://staging.media.example/api',
    },
    { does: 'Get a token for CI', line: 'mar login --print-token' },
    {
      does: 'Use a password from a password manager',
      line: 'pass show media | mar login --email me@studio.example --password-stdin',
    },
  ],
  async run(context, input) {
    if (input.options.passwordStdin && input.options.tokenStdin) {
      throw usageError('--password-stdin and --token-stdin cannot be used together');
    }
    const { printToken, insecureStorage } = input.options;
    if (printToken && insecureStorage) {
      throw usageError('--print-token and --insecure-storage cannot be used together');
    }
    const store: StoreName = insecureStorage ? 'file' : 'keychain';
    const { account, secret } = await withPrompter(context, async (prompter) => {
      // Check first: a password is useless if its token cannot be stored.
      if (store === 'keychain' && !printToken) await (await context.keychain()).check();
      const account = await readAccount(context, input, prompter);
      return { account, secret: await readSecret(context, input, prompter) };
    });
    const { email, token } = input.options.tokenStdin
      ? await tryNewToken(context, account, cleanToken(secret, 'standard input'))
      : await tryPasswords(context, account, input, secret);
    const { profile, baseUrl } = account;
    if (printToken) {
      return context.printer.outcome({ email, baseUrl: baseUrl.href, token }, token);
    }
    await remember(context, profile, { baseUrl: baseUrl.href, email, store }, token);
    await context.printer.outcome(
      { profile, email, baseUrl: baseUrl.href, store },
      `Logged in to ${baseUrl.host} as ${email}`,
    );
    if (store === 'file') context.reportOnce(plainTextWarning(context));
    const override = ['MAR_TOKEN', 'MAR_TOKEN_FILE'].find((name) => context.world.env[name]);
    if (override) {
      context.reportOnce(
        `warning: ${override} is set, so commands use it instead of the stored token`,
      );
    }
  },
};

/** Opened at once, to turn the echo off for users who type ahead. Loaded only for terminals. */
async function withPrompter<T>(
  context: Context,
  ask: (prompter?: Prompter) => Promise<T>,
): Promise<T> {
  if (!context.isInteractive) return ask();
  const { Prompter } = await import('../terminal/prompt.ts');
  const { stdin, stderr } = context.streams;
  const prompter = new Prompter(stdin, stderr, context.world.signal);
  try {
    return await ask(prompter);
  } finally {
    prompter.close();
  }
}

const maxTries = 3;

/** Asks again after a wrong password, if the first one was typed at the prompt. */
async function tryPasswords(context: Context, account: Account, input: Input, first: string) {
  const isTyped = context.isInteractive && !input.options.passwordStdin;
  let password = first;
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      return await openSession(context, account, password);
    } catch (error) {
      const isWrong = error instanceof MarError && error.details.status === 401;
      if (!isWrong || !isTyped || tryNumber === maxTries) throw error;
      context.report(`Login failed: ${error.message}\nTry again.`);
    }
    password = await withPrompter(context, (prompter) => readSecret(context, input, prompter));
  }
}

type Account = Awaited<ReturnType<typeof readAccount>>;

async function readAccount(context: Context, input: Input, prompter?: Prompter) {
  const { config, flags } = context;
  const { env } = context.world;
  const profile = checkProfileName(profileName({ env, config, profile: flags.profile }));
  const known = profileOf(config, profile);
  const ask = async (label: string, fallback: string | undefined) =>
    prompter ? prompter.ask({ label, fallback }) : fallback;

  const url = flags.baseUrl || env.MAR_BASE_URL || (await ask('Base URL', known?.baseUrl));
  if (!url) {
    throw usageError('no base URL given', 'For example: --base-url https://media.example/api');
  }
  const baseUrl = parseBaseUrl(url, flags);
  const email =
    stringOption(input, 'email') || env.MAR_EMAIL || (await ask('E-mail', known?.email));
  if (!email) throw usageError('no e-mail given', 'For example: --email me@studio.example');
  if (email.includes(':')) throw usageError(`invalid e-mail "${email}": it contains a colon`);
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
      'cannot ask for the password without a terminal',
      'Use --password-stdin, or --token-stdin for a token.',
    );
  }
  const password = await prompter.ask({ label: 'Password', isHidden: true });
  if (password === '') throw usageError('the password is empty');
  return password;
}

async function remember(
  context: Context,
  name: string,
  now: Required<Pick<Profile, 'baseUrl' | 'email' | 'store'>>,
  token: string,
): Promise<void> {
  const before = profileOf(context.config, name);
  const key = { email: now.email, origin: new URL(now.baseUrl).origin };
  await (await context.store(now.store)).write(key, token);
  await context.configFile.update((config) => {
    config.defaultProfile ??= name;
    config.profiles = { ...config.profiles, [name]: now };
  });
  if (!before?.store) return;
  // Tokens are stored by origin, so an invalid base URL has none.
  const origin = tokenOriginOf(before);
  if (origin === undefined) return;
  const oldKey = { email: before.email, origin };
  if (before.store === now.store && entryName(oldKey) === entryName(key)) return;
  await (await context.store(before.store)).remove(oldKey);
}
