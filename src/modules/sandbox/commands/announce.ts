import { resourceNoun } from '../../../core/api/endpoints.ts';
import { reportOverrides } from '../../../core/commands/login.ts';
import { outcome, type Results } from '../../../core/output/result.ts';
import type { Context } from '../../../core/session/context.ts';
import { commandLine } from '../../../core/values/commandLine.ts';
import { wrapCommand } from '../../../core/values/width.ts';
import type { Sandbox } from '../start.ts';
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

/** Says how to use a sandbox that is ready. */
export async function* announce(
  context: Context,
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
  if (profile) reportOverrides(context, profile);
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
