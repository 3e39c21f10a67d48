import { homedir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findFolders } from '../../../src/core/config/folders.ts';

/** On whichever system the test runs, a path is joined by that system's rules. */
const join = path.join;

const home = '/home/ines';
const linux = [join(home, '.config', 'mar'), join(home, '.local', 'state', 'mar')];
const support = join(home, 'Library', 'Application Support', 'mar');
const xdg = { XDG_CONFIG_HOME: '/cfg', XDG_STATE_HOME: '/st' };
const windows = { APPDATA: 'C:/Roaming', LOCALAPPDATA: 'C:/Local' };
const appData = join(home, 'AppData');
const own = { MAR_CONFIG_DIR: '/my/config', MAR_STATE_DIR: '/my/state' };

it.each<[platform: NodeJS.Platform, env: Record<string, string>, folders: string[]]>([
  ['linux', {}, linux],
  ['linux', xdg, [join('/cfg', 'mar'), join('/st', 'mar')]],
  // The specification of XDG says that relative paths are ignored.
  ['linux', { XDG_CONFIG_HOME: 'cfg', XDG_STATE_HOME: './st' }, linux],
  ['linux', { XDG_CONFIG_HOME: '', MAR_CONFIG_DIR: '', MAR_STATE_DIR: '' }, linux],
  ['darwin', xdg, [support, join(support, 'state')]],
  ['win32', windows, [join('C:/Roaming', 'mar'), join('C:/Local', 'mar')]],
  ['win32', {}, [join(appData, 'Roaming', 'mar'), join(appData, 'Local', 'mar')]],
  ['linux', own, ['/my/config', '/my/state']],
  ['darwin', own, ['/my/config', '/my/state']],
  ['win32', own, ['/my/config', '/my/state']],
  ['freebsd', own, ['/my/config', '/my/state']],
])("mar's folders on %s with %j", (platform, env, [config, state]) => {
  expect(findFolders({ HOME: home, ...env }, platform)).toEqual({ config, state });
});

it('a home that is set to nothing is that of the system', () => {
  expect(findFolders({ HOME: '' }, 'linux').config).toBe(join(homedir(), '.config', 'mar'));
});
