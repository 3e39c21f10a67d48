import { rm } from 'node:fs/promises';
import { discardReplaced, saveLogin } from '../../../core/commands/signIn.ts';
import { originOf } from '../../../core/config/baseUrl.ts';
import { type Profile, profileOf } from '../../../core/config/configFile.ts';
import { logPath } from '../../../core/config/folders.ts';
import { Memory } from '../../../core/config/memory.ts';
import { checkProfileName } from '../../../core/credentials/identity.ts';
import { usageError } from '../../../core/errors.ts';
import { isLoopback } from '../../../core/http/loopback.ts';
import type { Context } from '../../../core/session/context.ts';
import type { Session } from '../../../core/session/session.ts';
import { words } from '../../../core/values/commandLine.ts';
import { plural } from '../../../core/values/numbers.ts';
import { tokenFilePath } from '../constants.ts';
import type { SandboxStatus } from '../start.ts';

/** The profile that uses the token of a data folder. */
export const profileIn = ({ configFile }: Session, dataDir: string) =>
  Object.entries(configFile.read().profiles ?? {}).find(
    ([, { tokenFile }]) => tokenFile === tokenFilePath(dataDir),
  );

/** Refuses to replace a profile for a service that is not a sandbox. */
export function checkProfile(session: Session, name: string, flag?: string): void {
  checkProfileName(name, flag);
  const profile = profileOf(session.config, name);
  if (!profile || isSandbox(name, profile)) return;
  throw usageError(
    `profile "${name}" is ${profile.email} at ${profile.baseUrl}, which is not a sandbox`,
    {
      text: 'Use another name with --profile NAME, or rename that profile:',
      command: words`mar profile rename ${name} NAME`,
    },
    flag ? { flag, value: name } : {},
  );
}

/**
 * Whether a profile is for a sandbox, which may have had another port. An address of this machine is
 * not enough: it may be the end of a tunnel to a real service.
 */
function isSandbox(name: string, { baseUrl, tokenFile }: Profile): boolean {
  const origin = originOf(baseUrl);
  if (origin === undefined || !isLoopback(new URL(origin).hostname)) return false;
  return name === 'sandbox' || tokenFile !== undefined;
}

/**
 * Points a profile to the sandbox; the token stays in the sandbox's folder. Tracks its work requests, so
 * that `mar today` has something to show at once.
 */
export async function saveSandboxLogin(
  context: Context,
  name: string,
  { baseUrl, email, service: serviceFile, examples }: SandboxStatus,
  tokenFile: string,
): Promise<void> {
  const now = { baseUrl, email, tokenFile, serviceFile };
  const before = profileOf(context.session.config, name);
  if (before && before.tokenFile !== tokenFile) {
    context.reporter.warn(
      'profile-replaced',
      `profile "${name}" was the sandbox at ${before.baseUrl}. From now on it is this one; to have both, start one with --profile NAME`,
    );
  }
  const replaced = await saveLogin(context.session, name, { now, token: '' });
  if (replaced) await discardReplaced(context, replaced, name);
  const { folders, settings } = context.session;
  const isDisabled = settings.rememberIds === 'off';
  // The context may be logged in somewhere else.
  const memory = new Memory(folders.state, { baseUrl: new URL(baseUrl), email }, { isDisabled });
  const known = new Set(memory.entries('Tracked').map(({ id }) => id));
  const ids = (examples.WorkRequest ?? []).filter((id) => !known.has(id));
  await memory.add(ids.map((id) => ({ kind: 'Tracked', id })));
  if (ids.length === 0 || isDisabled) return;
  context.reporter.reportOnce(
    `Added ${plural(ids.length, 'work request')} of the sandbox to the list of mar today`,
  );
}

/** A sandbox with new data has none of the orders that the old one had, and other assets. */
export async function forgetOrders(
  { folders }: Session,
  { baseUrl, email, examples }: Pick<SandboxStatus, 'baseUrl' | 'email' | 'examples'>,
): Promise<void> {
  const url = new URL(baseUrl);
  const log = logPath(folders.state, url);
  for (const file of [log, `${log}.old`]) await rm(file, { force: true });
  const memory = new Memory(folders.state, { baseUrl: url, email });
  const isFollowing = memory.entries('Tracked').length > 0;
  for (const kind of ['Tracked', 'WorkRequest', 'Look', 'Mark', 'AssetState']) {
    const gone = memory.entries(kind).map(({ id }) => id);
    await memory.forget([kind], gone);
  }
  const ids = isFollowing ? (examples.WorkRequest ?? []) : [];
  await memory.add(ids.map((id) => ({ kind: 'Tracked', id })));
}

/**
 * After a restart, the profiles that use the token of this folder get its new address. A reset brings back
 * the e-mail of the first user. With new data, the description that they know is no longer true.
 */
export async function updateProfiles(
  session: Session,
  { baseUrl, email, dataDir }: SandboxStatus,
  isNew = false,
) {
  if (!profileIn(session, dataDir)) return;
  const facts = { baseUrl, email, ...(isNew && { serviceFile: undefined }) };
  await session.configFile.update(({ profiles = {} }) => {
    for (const profile of Object.values(profiles)) {
      if (profile.tokenFile === tokenFilePath(dataDir)) Object.assign(profile, facts);
    }
  });
}
