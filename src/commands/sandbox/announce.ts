import { resourceNoun } from '../../api/endpoints.ts';
import { MarError } from '../../errors.ts';
import type { Input } from '../../input.ts';
import { openInBrowser } from '../../output/browser.ts';
import { outcome, type Results } from '../../output/result.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import type { Context } from '../../session/context.ts';
import { commandLine } from '../../values/commandLine.ts';
import { wrapCommand } from '../../values/width.ts';
import { reportOverrides } from '../login.ts';
import { isSandboxProfile } from './login.ts';

type Running = Pick<Sandbox, 'baseUrl' | 'email' | 'password' | 'dataDir' | 'examples'>;

interface Announcement {
  /** How it runs, and how to stop it. */
  head: readonly string[];
  /** The profile that is logged in to it. */
  profile?: string;
  /** Lines of facts for people. */
  lines?: readonly string[];
  /** More facts for programs. */
  facts?: object;
}

/** Says how to use a sandbox that is ready. Opens its page if that was requested. */
export async function* announce(
  context: Context,
  input: Input,
  running: Running,
  { head, profile, lines = [], facts }: Announcement,
): Results {
  const { baseUrl, email, password, dataDir, examples } = running;
  const page = new URL('/', baseUrl).href;
  const account = profile
    ? [`  Profile    ${profile} (${email})`]
    : [`  E-mail     ${email}`, `  Password   ${password}`];
  const next = profile
    ? [...exampleLines(examples), '', 'Try it:', '', commandLine`  mar today --profile ${profile}`]
    : [
        'Add --login to be logged in at once.',
        'To log in, run this in another terminal:',
        '',
        ...loginLines(context, running),
      ];
  const text = [
    ...head,
    '',
    `  Page       ${page}`,
    `  Base URL   ${baseUrl}`,
    ...lines,
    ...account,
    `  Data       ${dataDir}`,
    '',
    ...next,
  ];
  yield outcome(
    { baseUrl, email, password, dataDir, examples, profile, ...facts },
    text.join('\n'),
  );
  if (input.options.open) await openPage(context, page);
  if (profile) reportOverrides(context, profile);
}

/** The sandbox is running, so a browser that cannot be started is only a warning. */
async function openPage(context: Context, page: string): Promise<void> {
  try {
    await openInBrowser(page, context.world);
  } catch (error) {
    if (!(error instanceof MarError) || error.kind !== 'service') throw error;
    context.reporter.warn('browser', [`${error.message}.`, ...error.hints]);
  }
}

function loginLines(context: Context, { baseUrl, email, password }: Running): string[] {
  const login =
    commandLine`  echo ${password} | mar login --profile sandbox --base-url ${baseUrl} --email ${email} --password-stdin --insecure-storage` +
    (isSandboxProfile(context.session, 'sandbox') ? ' --replace' : '');
  return wrapCommand(login, context.world.streams.stdout, context.world.platform);
}

/** One line for each kind: `Work requests: wr-2001, wr-2002, wr-2003`. */
const exampleLines = (examples: Sandbox['examples']): string[] =>
  Object.entries(examples)
    .filter(([, ids]) => ids.length > 0)
    .map(
      ([kind, ids]) => `  ${kind[0]}${resourceNoun(kind).slice(1)}s: ${ids.slice(0, 3).join(', ')}`,
    );
