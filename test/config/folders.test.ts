import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';

/** On whichever system the test runs, a path is joined by that system's rules. */
const join = path.join;

describe("mar's folders", () => {
  it('are those of XDG on Linux', () => {
    expect(findFolders({ HOME: '/home/ines' }, 'linux')).toEqual({
      config: join('/home/ines', '.config', 'mar'),
      state: join('/home/ines', '.local', 'state', 'mar'),
    });
    const env = { HOME: '/home/ines', XDG_CONFIG_HOME: '/cfg', XDG_STATE_HOME: '/st' };
    expect(findFolders(env, 'linux')).toEqual({
      config: join('/cfg', 'mar'),
      state: join('/st', 'mar'),
    });
  });

  it('are under Application Support on macOS, whatever XDG says', () => {
    const support = join('/Users/ines', 'Library', 'Application Support', 'mar');
    const env = { HOME: '/Users/ines', XDG_CONFIG_HOME: '/cfg', XDG_STATE_HOME: '/st' };
    expect(findFolders(env, 'darwin')).toEqual({ config: support, state: join(support, 'state') });
  });

  it('are under AppData on Windows', () => {
    const env = { APPDATA: 'C:/Users/ines/Roaming', LOCALAPPDATA: 'C:/Users/ines/Local' };
    expect(findFolders(env, 'win32')).toEqual({
      config: join('C:/Users/ines/Roaming', 'mar'),
      state: join('C:/Users/ines/Local', 'mar'),
    });
    expect(findFolders({ HOME: 'C:/Users/ines' }, 'win32')).toEqual({
      config: join('C:/Users/ines', 'AppData', 'Roaming', 'mar'),
      state: join('C:/Users/ines', 'AppData', 'Local', 'mar'),
    });
  });

  it.each(['linux', 'darwin', 'win32', 'freebsd'] as const)(
    'are those of MAR_CONFIG_DIR and MAR_STATE_DIR on %s',
    (platform) => {
      const env = { HOME: '/h', MAR_CONFIG_DIR: '/my/config', MAR_STATE_DIR: '/my/state' };
      expect(findFolders(env, platform)).toEqual({ config: '/my/config', state: '/my/state' });
    },
  );

  it('ignore relative paths of XDG, as its specification says', () => {
    const env = { HOME: '/home/ines', XDG_CONFIG_HOME: 'cfg', XDG_STATE_HOME: './st' };
    expect(findFolders(env, 'linux')).toEqual(findFolders({ HOME: '/home/ines' }, 'linux'));
  });

  it('ignore variables that are set to nothing', () => {
    const env = { HOME: '', XDG_CONFIG_HOME: '', MAR_CONFIG_DIR: '', MAR_STATE_DIR: '' };
    expect(findFolders(env, 'linux').config).toBe(join(homedir(), '.config', 'mar'));
  });
});
