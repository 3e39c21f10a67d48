import { profileName, profileOf } from '../config/configFile.ts';
import { checkProfileName, knownProfile, profileSource } from '../credentials/identity.ts';
import { MarError, runHint, usageError } from '../errors.ts';
import { type Argument, option } from '../input.ts';
import type { Reporter } from '../output/reporter.ts';
import { outcome, rowsResult } from '../output/result.ts';
import type { Column } from '../output/viewType.ts';
import type { Session } from '../session/session.ts';
import { words } from '../values/commandLine.ts';
import type { Command } from './command.ts';
import { discardToken, hasOwnToken, unrevokedFate } from './signIn.ts';
import { describeSource } from './whoami.ts';

const nameArgument: Argument = {
  name: 'name',
  summary: 'name of the profile',
  completes: 'profile',
};

const columns: readonly Column[] = [
  { title: 'Profile', path: 'name', kind: 'id' },
  { title: 'In use', path: 'inUse', importance: 6 },
  { title: 'Account', path: 'email', importance: 4 },
  { title: 'Service', path: 'baseUrl', importance: 5 },
  { title: 'Token from', path: 'token', importance: 1 },
];

const list: Command = {
  summary: 'List the profiles',
  details: 'Shows the account and the service of each profile, and which one is chosen.',
  examples: { 'List the profiles': 'mar profile list' },
  async *run(context) {
    const { flags, world, reporter, session } = context;
    const { config } = session;
    const current = profileName({ env: world.env, config, profile: flags.profile });
    const profiles = Object.entries(config.profiles ?? {});
    if (profiles.length === 0) {
      reporter.reportOnce(runHint('No profiles yet. To create one', words`mar login`));
    }
    const rows = profiles.map(([name, profile]) => {
      const { email, baseUrl } = profile;
      const source = profileSource(profile);
      const token = source ? describeSource(context, source) : 'logged out';
      return { name, inUse: name === current, email, baseUrl, token };
    });
    yield rowsResult(rows, columns);
  },
};

const use: Command = {
  summary: 'Use a profile by default',
  arguments: [nameArgument],
  examples: { 'Use the profile staging from now on': 'mar profile use staging' },
  async *run({ session, reporter, world }, { arguments: [name = ''] }) {
    await session.configFile.update((config) => {
      knownProfile(config, name);
      config.defaultProfile = name;
    });
    const { email, baseUrl } = knownProfile(session.configFile.read(), name);
    const sentence = `The default profile is now "${name}": ${email} at ${baseUrl}`;
    yield outcome({ name, email, baseUrl }, sentence);
    const { MAR_PROFILE: other } = world.env;
    if (other && other !== name) {
      reporter.warn(
        'environment',
        `MAR_PROFILE is set, so commands in this shell use profile "${other}". To use the default, unset MAR_PROFILE.`,
      );
    }
  },
};

const rename: Command = {
  summary: 'Rename a profile',
  details: 'Its login is kept. A default profile stays the default.',
  arguments: [nameArgument, { name: 'new-name', summary: 'new name of the profile' }],
  examples: { 'Rename the profile default': 'mar profile rename default production' },
  async *run({ session }, { arguments: [name = '', newName = ''] }) {
    checkProfileName(newName);
    await session.configFile.update((config) => {
      knownProfile(config, name);
      if (name !== newName && profileOf(config, newName)) {
        throw usageError(
          `profile "${newName}" exists already`,
          runHint('To remove it first', words`mar profile remove ${newName}`),
          { value: newName },
        );
      }
      // Tokens and used ids are stored by account and service, so they need no change.
      const entries = Object.entries(config.profiles ?? {});
      config.profiles = Object.fromEntries(
        entries.map(([key, profile]) => [key === name ? newName : key, profile]),
      );
      // Without a setting, the default profile is the one with the name "default".
      if ((config.defaultProfile ?? 'default') === name) config.defaultProfile = newName;
    });
    yield outcome({ name: newName, oldName: name }, `Renamed profile "${name}" to "${newName}"`);
  },
};

const remove: Command = {
  summary: 'Remove a profile',
  details:
    'Also revokes and deletes its stored token, unless another profile uses it. If the token cannot be revoked, the profile is kept, so that you can try again.',
  arguments: [nameArgument],
  options: [option('--local', 'delete the token without revoking it')],
  examples: {
    'Remove a profile': 'mar profile remove staging',
    'Remove the profile of a service that no longer exists': 'mar profile remove staging --local',
  },
  async *run({ session, reporter, world }, { arguments: [name = ''], options }) {
    const profile = knownProfile(session.config, name);
    const isLocal = options.local === true;
    const hasToken = hasOwnToken(session.config, name);
    let revoked = false;
    if (hasToken) {
      const discarding = discardToken(session, name, { profile, isLocal });
      revoked = await discarding.catch((error: unknown) => {
        if (!(error instanceof MarError) || world.signal.aborted || isLocal) throw error;
        throw error.withHint(
          runHint(
            'The profile was kept. To remove it without revoking its token',
            words`mar profile remove ${name} --local`,
          ),
        );
      });
    }
    await session.configFile.update((config) => {
      delete config.profiles?.[name];
      if (config.defaultProfile === name) delete config.defaultProfile;
    });
    const fate = revoked ? 'Its token was revoked' : unrevokedFate(isLocal);
    yield outcome({ name, revoked }, `Removed profile "${name}"${hasToken ? `. ${fate}` : ''}`);
    reportDefault(session, reporter, name);
  },
};

/** Commands must not move to another account unnoticed. */
function reportDefault(session: Session, reporter: Reporter, removed: string): void {
  if (removed !== (session.config.defaultProfile ?? 'default')) return;
  const { profiles = {} } = session.configFile.read();
  const next = profileOf({ profiles }, 'default');
  if (next) {
    const account = `${next.email} at ${next.baseUrl}`;
    reporter.reportOnce(`It was the default. Commands now use profile "default": ${account}`);
    return;
  }
  const [first, ...others] = Object.keys(profiles);
  if (first === undefined) return;
  const purpose = 'It was the default. To choose another one';
  const use = others.length > 0 ? words`mar profile use NAME` : words`mar profile use ${first}`;
  reporter.reportOnce(runHint(purpose, use));
}

export const commands = { list, use, rename, remove };
