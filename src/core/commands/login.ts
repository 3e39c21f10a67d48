import path from 'node:path';
import { originOf, parseBaseUrl } from '../config/baseUrl.ts';
import { type Profile, profileName, profileOf, type StoreName } from '../config/configFile.ts';
import { checkProfileName, cleanToken } from '../credentials/identity.ts';
import { MarError, runHint, usageError, withFacts } from '../errors.ts';
import { readAll } from '../files/regularFile.ts';
import { type Input, option, stringOption } from '../input.ts';
import type { Prompter } from '../output/prompt.ts';
import { outcome } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { words } from '../values/commandLine.ts';
import { sanitise } from '../values/sanitise.ts';
import type { Command } from './command.ts';
import { discardReplaced, openSession, saveLogin, tryNewToken } from './signIn.ts';
import { warnOfPlainText } from './whoami.ts';

export const command: Command = {
  summary: 'Log in and store the token',
  details:
    "Exchanges your e-mail and password for a token, and stores the token in the system's keychain. The password is not stored. To give a profile another service or account, mar asks, or needs --replace.",
  endpoint: 'sessionCreate',
  options: [
    option('--email <address>', 'e-mail of the account', {
      default: 'MAR_EMAIL, then the profile',
    }),
    option('--password-stdin', 'read the password from standard input', {
      excludes: ['--token-stdin', '--token-command'],
    }),
    option('--token-stdin', 'read a token from standard input', {
      excludes: ['--token-command'],
    }),
    option('--token-command <command>', 'command that prints the token; no token is stored'),
    option('--replace', "replace the profile's service or account without asking"),
    option('--print-token', 'print the token, for CI, and store nothing', {
      excludes: ['--insecure-storage', '--token-command'],
    }),
    option('--insecure-storage', 'store the token in a file that only you can read', {
      excludes: ['--token-command'],
    }),
  ],
  examples: {
    'Log in interactively': 'mar login',
    'Log in to a second service':
      'mar login --profile staging --base-url https://staging.media.example/api',
    'Get a token for CI': 'mar login --print-token',
    'Log in again, with a password from a password manager':
      'pass show media | head -n 1 | mar login --password-stdin',
  },
  async *run(context, input) {
    const { session, reporter, world } = context;
    const { printToken, insecureStorage, replace } = input.options;
    const tokenCommand = stringOption(input, 'tokenCommand');
    const store: StoreName = insecureStorage ? 'file' : 'keychain';
    const logInWith = async (prompter?: Prompter) => {
      // Check first: a password is useless if its token cannot be stored.
      const usesKeychain = store === 'keychain' && !printToken && tokenCommand === undefined;
      if (usesKeychain) await (await session.keychain()).check();
      const account = await readAccount(context, input, prompter);
      if (!printToken && !replace) await confirmReplacement(context, account, prompter);
      return { account, ...(await logIn(context, account, input, prompter)) };
    };
    // Opened at once, to turn the echo off for users who type ahead. Loaded only for terminals.
    const { account, email, token } = reporter.isInteractive
      ? await (await import('../output/prompt.ts')).withPrompter(world, logInWith)
      : await logInWith();
    const { profile, baseUrl } = account;
    if (printToken) return yield outcome({ email, baseUrl: baseUrl.href, token }, token);
    const source: Pick<Profile, 'store' | 'tokenCommand'> =
      tokenCommand === undefined ? { store } : { tokenCommand };
    const now = { baseUrl: baseUrl.href, email, ...source, ...clientCertificate(session, baseUrl) };
    const replaced = await saveLogin(session, profile, { now, token });
    const facts = { profile, email, baseUrl: baseUrl.href, ...source };
    yield outcome(facts, `Logged in to ${baseUrl.host} as ${email}`);
    if (source.store === 'file') warnOfPlainText(context);
    reportOverrides(context, profile);
    if (replaced) await discardReplaced(context, replaced, profile);
  },
};

/** The certificate that this login used, for the commands that follow. */
function clientCertificate({ trustOptions }: Session, { origin }: URL) {
  const { clientCert, clientKey, clientOrigin = origin } = trustOptions;
  if (clientOrigin !== origin) return {};
  return {
    clientCert: clientCert && path.resolve(clientCert),
    clientKey: clientKey && path.resolve(clientKey),
  };
}

/** Reports what decides which token the next command uses, if this is not the login alone. */
export function reportOverrides(context: Context, profile: string): void {
  const { session, reporter, world } = context;
  const { env } = world;
  const override = ['MAR_TOKEN', 'MAR_TOKEN_FILE'].find((name) => env[name]);
  if (override) {
    const message = `${override} is set, so commands use it instead of the stored token`;
    reporter.warn('environment', message);
  }
  const config = session.configFile.read();
  if (config.defaultProfile !== (session.config.defaultProfile ?? 'default')) {
    reporter.reportOnce(`The default profile is now "${config.defaultProfile}"`);
  }
  const next = profileName({ env, config });
  if (next === profile) return;
  reporter.reportOnce(
    runHint(
      `Commands still use profile "${next}" unless you add --profile ${profile}. To change that`,
      words`mar profile use ${profile}`,
    ),
  );
}

const maxTries = 3;

/** Asks again after a wrong password, if the first one was typed at the prompt. */
async function logIn(context: Context, account: Account, input: Input, prompter?: Prompter) {
  const { session, reporter } = context;
  const command = stringOption(input, 'tokenCommand');
  if (command !== undefined) {
    return tryNewToken(session, account, await session.tokenFromCommand(command));
  }
  const isTyped = prompter !== undefined && !input.options.passwordStdin;
  for (let tryNumber = 1; ; tryNumber += 1) {
    const secret = await readSecret(context, input, prompter);
    if (input.options.tokenStdin) {
      return tryNewToken(session, account, cleanToken(secret, 'standard input'));
    }
    try {
      return await openSession(session, account, secret);
    } catch (error) {
      const isWrong = error instanceof MarError && error.details.status === 401;
      if (!isWrong || !isTyped || tryNumber === maxTries) throw error;
      reporter.report(`Login failed: ${error.message}\nTry again.`);
    }
  }
}

/** Asks before a login makes a profile stand for another service or account. */
async function confirmReplacement(
  context: Context,
  { profile, baseUrl, email }: Account,
  prompter?: Prompter,
): Promise<void> {
  const known = profileOf(context.session.config, profile);
  // A profile with an invalid base URL stands for no service.
  if (!known || originOf(known.baseUrl) === undefined) return;
  const { href } = parseBaseUrl(known.baseUrl, { allowHttp: true });
  if (href === baseUrl.href && known.email.toLowerCase() === email.toLowerCase()) return;
  const before = `profile "${profile}" is ${known.email} at ${href}`;
  const after = `${email} at ${baseUrl.href}`;
  if (!prompter) {
    throw usageError(`${before}; this login would replace it with ${after}`, [
      'To keep it, choose another name for the new one with --profile NAME.',
      'To replace it, add --replace.',
    ]);
  }
  context.reporter.report(`${before[0]?.toUpperCase()}${before.slice(1)}.`);
  if (await prompter.confirm(`Replace it with ${sanitise(after)}?`)) return;
  context.reporter.report(
    runHint('Nothing was changed. To keep both', words`mar login --profile NAME`),
  );
  throw new MarError('interrupted', 'nothing was changed');
}

type Account = Awaited<ReturnType<typeof readAccount>>;

async function readAccount(context: Context, input: Input, prompter?: Prompter) {
  const { flags, session, world } = context;
  const { config } = session;
  const { env } = world;
  const name = profileName({ env, config, profile: flags.profile });
  const profile = checkProfileName(name, flags.profile && '--profile');
  const known = profileOf(config, profile);
  const ask = async (label: string, fallback: string | undefined) =>
    prompter ? prompter.ask({ label, fallback }) : fallback;

  const label = known ? 'Base URL' : 'Base URL of the service, such as https://media.example/api';
  const isKnown = known !== undefined && originOf(known.baseUrl) !== undefined;
  const kept = isKnown ? known.baseUrl : undefined;
  const url = flags.baseUrl || env.MAR_BASE_URL || kept || (await ask(label, known?.baseUrl));
  if (!url) {
    throw usageError('no base URL given', 'For example: --base-url https://media.example/api');
  }
  const flag = flags.baseUrl && '--base-url';
  const baseUrl = withFacts({ flag }, () => parseBaseUrl(url, flags));
  const given = stringOption(input, 'email');
  const isAgain = given === undefined && url === kept;
  const email =
    given || env.MAR_EMAIL || (isAgain && known?.email) || (await ask('E-mail', known?.email));
  if (!email) throw usageError('no e-mail given', 'For example: --email me@studio.example');
  if (email.includes(':')) {
    const message = `invalid e-mail "${email}": it contains a colon`;
    throw usageError(message, { flag: given && '--email', value: email });
  }
  if (prompter && isAgain) {
    const where = `Logging in to ${baseUrl.host} as ${sanitise(email)}`;
    context.reporter.report(`${where}. For another account, use --profile NAME`);
  }
  return { profile, baseUrl, email };
}

async function readSecret({ world }: Context, { options }: Input, prompter?: Prompter) {
  if (options.passwordStdin || options.tokenStdin) {
    const bytes = await readAll(world.streams.stdin);
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
