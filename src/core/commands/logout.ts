import { endpoints } from '../api/endpoints.ts';
import { buildRequest } from '../client/request.ts';
import type { Config } from '../config/configFile.ts';
import { forgetAll } from '../config/memory.ts';
import {
  type Identity,
  isFromEnvironment,
  knownProfile,
  sourceName,
  storedTokenName,
} from '../credentials/identity.ts';
import { MarError, runHint, usageError } from '../errors.ts';
import { option } from '../input.ts';
import { outcome } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { words } from '../values/commandLine.ts';
import { withProfile } from '../values/hintLines.ts';
import { dryRunOption, yesOption } from '../writes/body.ts';
import { requestResults } from '../writes/unsentRequest.ts';
import type { Command } from './command.ts';
import { discard, identityIn, unrevokedFate } from './signIn.ts';

export const command: Command = {
  summary: 'Log out: revoke and delete the stored token',
  details:
    'If the token cannot be revoked, it is kept, so that you can try again. To lock out a lost machine, regenerate the credentials in the account settings of the service.',
  endpoint: 'sessionDelete',
  options: [
    option('--all', 'all profiles with stored tokens; forget used ids and the list of mar today'),
    option('--local', 'delete the token without revoking it'),
    { ...dryRunOption, excludes: ['--all', '--local'] },
    { ...yesOption, summary: 'accepted for scripts; logout does not ask' },
  ],
  examples: {
    'Log out': 'mar logout',
    'Log out of all profiles': 'mar logout --all',
    'Delete the token of a service that no longer exists': 'mar logout --local',
  },
  async *run(context, { options: { all, local, dryRun } }) {
    const { session, reporter } = context;
    const isLocal = local === true;
    if (!all) {
      const identity = currentIdentity(session);
      if (dryRun) {
        const { baseUrl } = identity;
        yield* requestResults(context, buildRequest(endpoints.sessionDelete, baseUrl, {}));
      } else yield await logOut(context, identity, isLocal);
      return;
    }
    const names = profilesWithTokens(session.config);
    if (names.length === 0) reporter.reportOnce('No profile is logged in');
    const failures: MarError[] = [];
    for (const name of names) {
      try {
        yield await logOut(context, identityIn(session, session.config, name), isLocal);
      } catch (error) {
        if (!(error instanceof MarError)) throw error;
        const message = `cannot log out of profile "${name}": ${error.message}`;
        const hint = error.hints.map((one) => ({
          ...one,
          command: one.command && withProfile(one.command, name),
        }));
        failures.push(new MarError(error.kind, message, { ...error.details, hint, cause: error }));
      }
    }
    if (failures.length > 0) throw MarError.together(failures);
    forgetAll(session.folders.state);
    reporter.reportOnce([
      'Forgot the used ids and the list of mar today',
      'Other machines stay logged in',
    ]);
  },
};

/** One profile for each stored token, because the profiles of an account share its token. */
function profilesWithTokens({ profiles = {} }: Config): string[] {
  const stored = Object.entries(profiles).filter(([, { store }]) => store);
  const names = new Map(stored.map(([name, profile]) => [storedTokenName(profile) ?? name, name]));
  return [...names.values()];
}

function currentIdentity(session: Session): Identity {
  const identity = session.identity();
  const { source, profile } = identity;
  if (source.kind === 'store') return identity;
  const removal = runHint('To remove the profile instead', words`mar profile remove ${profile}`);
  throw usageError(
    `cannot log out: the token comes from ${sourceName(source)}`,
    isFromEnvironment(source)
      ? `To log out of profile "${profile}", unset the variable first.`
      : [`Delete it there: profile "${profile}" only names the place.`, removal],
  );
}

async function logOut({ session, world }: Context, identity: Identity, isLocal: boolean) {
  const { email, baseUrl, profile } = identity;
  const token = storedTokenName(knownProfile(session.config, profile));
  const revoked = await discard(session, identity, isLocal).catch((error: unknown) => {
    if (!(error instanceof MarError) || world.signal.aborted || isLocal) throw error;
    const purpose = 'The token was kept. To delete it without revoking it';
    throw error.withHint(runHint(purpose, words`mar logout --local`));
  });
  await session.configFile.update((config) => {
    for (const each of Object.values(config.profiles ?? {})) {
      if (storedTokenName(each) === token) delete each.store;
    }
  });
  const fate = revoked ? '' : `. ${unrevokedFate(isLocal)}`;
  const facts = { profile, email, baseUrl: baseUrl.href, revoked };
  return outcome(facts, `Logged out of ${baseUrl.host}${fate}`);
}
