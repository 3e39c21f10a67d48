import { resourceNoun } from '../../../core/api/endpoints.ts';
import { reportOverrides } from '../../../core/commands/login.ts';
import { outcome, type Results } from '../../../core/output/result.ts';
import type { Context } from '../../../core/session/context.ts';
import { commandLine } from '../../../core/values/commandLine.ts';
import type { SandboxStatus } from '../start.ts';
import { defaultDataFolder } from './dataFolder.ts';
import { profileIn } from './login.ts';

/** Says how to use a sandbox that is ready. */
export async function* announce(
  context: Context,
  status: SandboxStatus,
  head: readonly string[],
  profile = profileIn(context.session, status.dataDir)?.[0],
): Results {
  const { baseUrl, email, password, dataDir, examples, service, faults } = status;
  const account = profile
    ? [`  Profile    ${profile} (${email})`]
    : [`  E-mail     ${email}`, ...(password ? [`  Password   ${password}`] : [])];
  const isDefault = dataDir === defaultDataFolder(context.session);
  const login = isDefault
    ? 'mar sandbox --background --login'
    : commandLine`mar sandbox --background --login --data ${dataDir}`;
  const next = profile
    ? ['Try it:', '', commandLine`  mar today --profile ${profile}`]
    : ['To log in, run:', '', `  ${login}`];
  const text = [
    ...head,
    '',
    `  Page       ${new URL('/', baseUrl).href}`,
    `  Base URL   ${baseUrl}`,
    ...(service ? [`  Service    ${service}`] : []),
    ...faults.map((fault) => `  Fault      ${fault}`),
    ...account,
    `  Data       ${dataDir}`,
    '',
    ...exampleLines(examples),
    '',
    ...next,
  ];
  yield outcome({ ...status, profile }, text.join('\n'));
  if (profile) reportOverrides(context, profile);
}

/** One line for each kind: `Work requests: wr-2001, wr-2002, wr-2003`. */
const exampleLines = (examples: SandboxStatus['examples']): string[] =>
  Object.entries(examples)
    .filter(([, ids]) => ids.length > 0)
    .map(
      ([kind, ids]) => `  ${kind[0]}${resourceNoun(kind).slice(1)}s: ${ids.slice(0, 3).join(', ')}`,
    );
