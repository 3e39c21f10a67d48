import { forgetAll } from '../config/memory.ts';
import type { Context } from '../context.ts';
import { entryName, type Identity, storedTokenName } from '../credentials/identity.ts';
import { MarError, usageError, withHints } from '../errors.ts';
import { withProfile } from '../values/commandLine.ts';
import type { Command } from './command.ts';
import { discard, identityIn } from './session.ts';
import { dryRunOption } from './write/body.ts';

export const command: Command = {
  name: 'logout',
  summary: 'Log out: revoke the token and delete it',
  details:
    'First asks the service to revoke the token. If the service cannot be reached, the token is kept so that you can try again.',
  endpoint: 'sessionDelete',
  options: [
    { flags: '--all', summary: 'log out of every profile, and delete the history of used ids' },
    { flags: '--local', summary: 'delete the token without revoking it' },
    { ...dryRunOption, excludes: ['--all', '--local'] },
  ],
  examples: {
    'Log out': 'mar logout',
    'Log out of every profile': 'mar logout --all',
    'Delete the token of a service that no longer exists': 'mar logout --local',
  },
  async run(context, input) {
    const { all, local, dryRun } = input.options;
    if (dryRun) {
      currentIdentity(context);
      const { showRequest } = await import('./write/dryRun.ts');
      return showRequest(context, 'sessionDelete', {});
    }
    const { identities, failures } = all
      ? storedIdentities(context)
      : { identities: [currentIdentity(context)], failures: [] };
    if (identities.length + failures.length === 0) context.reportOnce('No profile is logged in');
    for (const identity of identities) {
      try {
        await logOut(context, identity, local === true);
      } catch (error) {
        if (!(error instanceof MarError)) throw error;
        failures.push(
          withHints(error, (hint) => (all ? withProfile(hint, identity.profile) : hint)),
        );
      }
    }
    if (failures.length > 0) throw MarError.together(failures);
    if (all) forgetAll(context.folders.state);
  },
};

function currentIdentity(context: Context): Identity {
  const identity = context.identity();
  const { source, profile } = identity;
  if (source.kind === 'store') return identity;
  const isFile = source.kind === 'token-file';
  if (source.kind === 'command' || (isFile && source.from === 'token-file')) {
    const [setting, place] = isFile
      ? ['token-file', `in ${source.path}`]
      : ['token-command', 'where that command reads it'];
    throw usageError(
      `cannot log out: the token comes from the ${setting} of profile "${profile}"`,
      `Delete the token ${place}. To remove the profile, use mar profile remove.`,
    );
  }
  const name = isFile ? source.from : source.name;
  throw usageError(
    `cannot log out: the token comes from ${name}`,
    `To log out of profile "${profile}", unset ${name} first.`,
  );
}

/** All logged-in accounts, and failures for invalid profiles. Profiles of one account share its token. */
function storedIdentities(context: Context): { identities: Identity[]; failures: MarError[] } {
  const { config } = context;
  const accounts = new Map<string, Identity>();
  const failures: MarError[] = [];
  for (const [name, { store }] of Object.entries(config.profiles ?? {})) {
    if (store === undefined) continue;
    try {
      const identity = identityIn(context, config, name);
      accounts.set(accountKey(identity), identity);
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      const message = `cannot log out of profile "${name}": ${error.message}`;
      failures.push(new MarError(error.kind, message, { ...error.details, cause: error }));
    }
  }
  return { identities: [...accounts.values()], failures };
}

const accountKey = (identity: Identity) =>
  `${identity.source.kind === 'store' ? identity.source.store : ''} ${entryName(identity)}`;

async function logOut(context: Context, identity: Identity, isLocal: boolean): Promise<void> {
  const { email, baseUrl, profile } = identity;
  const revoked = !isLocal;
  await discard(context, identity, isLocal).catch((error: unknown) => {
    if (!(error instanceof MarError) || context.world.signal.aborted || isLocal) throw error;
    const remedy = 'To delete it without revoking it, run: mar logout --local';
    throw error.withHint(`The token was kept. ${remedy}`);
  });
  await context.configFile.update((config) => {
    for (const each of Object.values(config.profiles ?? {})) {
      if (storedTokenName(each) !== accountKey(identity)) continue;
      delete each.store;
      delete each.tokenOrigin;
    }
  });
  await context.printer.outcome(
    { profile, email, baseUrl: baseUrl.href, revoked },
    revoked
      ? `Logged out of ${baseUrl.host}`
      : `Logged out of ${baseUrl.host}. The token was deleted here, but the service still accepts it`,
  );
}
