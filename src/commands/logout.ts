import { endpoints } from '../api/endpoints.ts';
import { originOf } from '../config/baseUrl.ts';
import type { StoreName } from '../config/config.ts';
import { forgetIds } from '../config/usedIds.ts';
import type { Context } from '../context.ts';
import { type Identity, storedIdentity } from '../credentials/identity.ts';
import { MarError, usageError } from '../errors.ts';
import type { Command } from './command.ts';
import { dryRunOption } from './write/body.ts';

export const command: Command = {
  name: 'logout',
  summary: 'Revoke the token and forget it',
  details:
    'The token is revoked at the service first. If the service cannot be reached it is kept, so that you can try again.',
  endpoint: 'sessionDelete',
  options: [
    { flags: '--all', summary: 'log out of every profile, and forget which ids were used' },
    { flags: '--local', summary: 'only forget the token, without asking the service' },
    dryRunOption,
  ],
  examples: [
    { does: 'Log out', line: 'mar logout' },
    { does: 'Of every profile', line: 'mar logout --all' },
    { does: 'The service is gone for good', line: 'mar logout --local' },
  ],
  async run(context, input) {
    const { all, local, dryRun } = input.options;
    if (dryRun) {
      if (all || local) {
        throw usageError('--dry-run shows the request of one profile: --profile NAME');
      }
      currentIdentity(context);
      const { showRequest } = await import('./write/dryRun.ts');
      return showRequest(context, 'sessionDelete', {});
    }
    const { identities, failures } = all
      ? storedIdentities(context)
      : { identities: [currentIdentity(context)], failures: [] };
    if (identities.length + failures.length === 0) context.reportOnce('nobody is logged in');
    for (const identity of identities) {
      try {
        await logOut(context, identity, local === true);
      } catch (error) {
        if (!(error instanceof MarError)) throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw MarError.together(failures);
    if (all) forgetIds(context.folders.state);
  },
};

function currentIdentity(context: Context): Identity {
  const identity = context.identity();
  const { source, profile } = identity;
  if (source.kind === 'store') return identity;
  const name = source.kind === 'variable' ? source.name : 'MAR_TOKEN_FILE';
  throw usageError(
    `the token comes from ${name}, so it is not mar's to forget`,
    `unset ${name} to log out of the profile "${profile}"`,
  );
}

/** All logged-in accounts, and failures for invalid profiles. Profiles of one account share its token. */
function storedIdentities(context: Context): { identities: Identity[]; failures: MarError[] } {
  const { config } = context;
  const accounts = new Map<string, Identity>();
  const failures: MarError[] = [];
  const store = (name: StoreName) => context.store(name);
  const options = { env: {}, config, allowHttp: true, store };
  for (const [name, { store }] of Object.entries(config.profiles ?? {})) {
    if (store === undefined) continue;
    try {
      const identity = storedIdentity(options, name);
      accounts.set(accountKey(identity), identity);
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      const message = `the profile "${name}" is not logged out: ${error.message}`;
      failures.push(new MarError(error.kind, message, { ...error.details, cause: error }));
    }
  }
  return { identities: [...accounts.values()], failures };
}

const accountKey = ({ email, origin, source }: Identity) =>
  JSON.stringify([email, origin, source.kind === 'store' ? source.store : source.kind]);

async function logOut(context: Context, identity: Identity, isLocal: boolean): Promise<void> {
  const { source, email, origin, baseUrl, profile } = identity;
  const revoked = isLocal ? false : await revoke(context, identity);
  if (source.kind === 'store') {
    const tokens = await context.store(source.store);
    await tokens.remove({ email, origin });
  }
  await context.configFile.update((config) => {
    for (const each of Object.values(config.profiles ?? {})) {
      const key = JSON.stringify([each.email, originOf(each.baseUrl), each.store]);
      if (key === accountKey(identity)) delete each.store;
    }
  });
  await context.printer.outcome(
    { profile, email, baseUrl: baseUrl.href, revoked },
    `Logged out of ${baseUrl.host}${revoked ? '' : ': the token was forgotten, not revoked'}`,
  );
}

/** A token that the service no longer knows counts as revoked. */
async function revoke(context: Context, identity: Identity): Promise<boolean> {
  const client = await context.clientFor(identity);
  try {
    await client.call(endpoints.sessionDelete);
    return true;
  } catch (error) {
    if (error instanceof MarError && error.details.status === 401) return true;
    throw error;
  }
}
