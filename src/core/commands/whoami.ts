import { checkOrigin } from '../client/tokenOrigin.ts';
import { sourceName, type TokenSource } from '../credentials/identity.ts';
import { tokenFilePath } from '../credentials/tokenFile.ts';
import { option } from '../input.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { recordResult } from '../output/result.ts';
import type { View } from '../output/viewType.ts';
import { keptUser, ownUser } from '../reads/knownUsers.ts';
import type { Context } from '../session/context.ts';
import type { Command } from './command.ts';
import { factsCard, named } from './viewParts.ts';

export const command: Command = {
  summary: 'Show the account and service in use',
  details: 'Sends no request without --check.',
  options: [option('--check', 'check with the service that the token works')],
  examples: {
    'Show the account and the service': 'mar whoami',
    'Check that the token still works': 'mar whoami --check',
  },
  async *run(context, input) {
    const { profile, email, baseUrl, source, origin, token } = context.session.identity();
    const user = input.options.check ? await ownUser(context) : keptUser(context.session);
    const value = {
      profile,
      email,
      ...(user ? { user: { _id: user.id, name: user.name } } : {}),
      baseUrl: baseUrl.href,
      token: describeSource(context, source),
      ...(input.options.check ? { checked: true } : {}),
    };
    yield recordResult(ServiceRecord.fromValue(value), identityView);
    if (source.kind === 'store' && source.store === 'file') {
      warnOfPlainText(context);
    }
    checkOrigin(origin, baseUrl);
    // Other sources may prompt the user.
    if (source.kind === 'token-file') await token();
  },
};

const identityView: View = {
  columns: [],
  card: factsCard('', undefined, [
    ['Account', 'email'],
    ['User', named('user')],
    ['Service', 'baseUrl'],
    ['Profile', 'profile'],
    ['Token from', 'token'],
    ['Token works', 'checked'],
  ]),
};

/** With the path of the file in which `--insecure-storage` keeps tokens. */
export const describeSource = ({ session }: Context, source: TokenSource): string =>
  source.kind === 'store' && source.store === 'file'
    ? tokenFilePath(session.folders.config)
    : sourceName(source);

export function warnOfPlainText(context: Context): void {
  const file = tokenFilePath(context.session.folders.config);
  context.reporter.warn('plain-text-token', `the token is stored in plain text in ${file}`);
}
