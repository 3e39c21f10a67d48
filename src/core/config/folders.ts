import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../values/environment.ts';

export interface Folders {
  config: string;
  /** Data that is kept between runs and may be deleted. */
  state: string;
}

export function findFolders(env: Environment, platform: NodeJS.Platform): Folders {
  const home = env.HOME || homedir();
  const standard = platformFolders(env, platform, home);
  return {
    config: env.MAR_CONFIG_DIR || standard.config,
    state: env.MAR_STATE_DIR || standard.state,
  };
}

function platformFolders(env: Environment, platform: NodeJS.Platform, home: string): Folders {
  if (platform === 'win32') {
    const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA || path.join(home, 'AppData', 'Local');
    return { config: path.join(roaming, 'mar'), state: path.join(local, 'mar') };
  }
  if (platform === 'darwin') {
    const support = path.join(home, 'Library', 'Application Support', 'mar');
    return { config: support, state: path.join(support, 'state') };
  }
  return {
    config: path.join(absolute(env.XDG_CONFIG_HOME) || path.join(home, '.config'), 'mar'),
    state: path.join(absolute(env.XDG_STATE_HOME) || path.join(home, '.local', 'state'), 'mar'),
  };
}

/** The specification of XDG says that a relative path is ignored. */
const absolute = (folder = '') => (path.isAbsolute(folder) ? folder : undefined);

/** A file name that every system accepts. */
export const fileNameOf = (text: string) =>
  `${encodeURIComponent(text).replaceAll('*', '%2A')}.jsonl`;

/** The log of what was written to a service, by all accounts. */
export const logPath = (stateFolder: string, { host, pathname }: URL) =>
  path.join(stateFolder, 'log', fileNameOf(`${host}${pathname}`));
