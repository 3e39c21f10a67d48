import { endpoints } from '../api/endpoints.ts';
import type { Context } from '../context.ts';
import type { Identity } from '../credentials/identity.ts';
import { MarError, usageError } from '../errors.ts';
import type { Command } from './command.ts';

export const logout: Command = {
  name: 'logout',
  summary: 'Revoke the token and forget it',
  details:
    'The token is revoked at the service first. If the service cannot be reached it is kept, so that you can try again.',
  endpoint: 'sessionDelete',
  options: [{ flags: '--local', summary: 'only forget it, without asking the service' }],
  examples: [
    { does: 'Log out', line: 'mar logout' },
    { does: 'The service is gone for good', line: 'mar logout --local' },
  ],
  async run(context, input) {
    const identity = await context.identity();
    const { source, email, baseUrl, profile } = identity;
    if (source.kind !== 'store') {
      const name = source.kind === 'variable' ? source.name : 'MAR_TOKEN_FILE';
      throw usageError(
        `the token comes from ${name}, so it is not mar's to forget`,
        `unset ${name} to log out of the profile "${profile}"`,
      );
    }
    const revoked = input.options.local ? false : await revoke(context);
    await context.store(source.store).remove({ email, origin: identity.origin });
    await forgetProfile(context, identity);
    await context.printer.outcome(
      { profile, email, baseUrl: baseUrl.href, revoked },
      `Logged out of ${baseUrl.host}${revoked ? '' : '; the token was forgotten, not revoked'}`,
    );
  },
};

/** Whether the service revoked it; a token it no longer knows is as good as revoked. */
async function revoke(context: Context): Promise<boolean> {
  const client = await context.client();
  try {
    await client.call(endpoints.sessionDelete);
    return true;
  } catch (error) {
    if (error instanceof MarError && error.details.status === 401) return true;
    throw error;
  }
}

async function forgetProfile(context: Context, { profile }: Identity): Promise<void> {
  await context.configFile.update((config) => {
    delete config.profiles?.[profile];
    if (config.defaultProfile === profile) delete config.defaultProfile;
  });
}
