import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../src/core/config/configFile.ts';
import { mar, temporaryFolder } from './mar.ts';
import { type CannedResponse, type RecordingServer, recordingServer } from './recordingServer.ts';

export const email = 'ines@northlight.example';
export const session = (token: string, as = email) => JSON.stringify({ token, email: as });

/** A home of its own, with logins that store their tokens in a file. */
export function home() {
  const folder = temporaryFolder();
  const env = { MAR_CONFIG_DIR: folder };
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  return {
    folder,
    env,
    run: (argv: string[], more: Record<string, string> = {}) =>
      mar(argv, { env: { ...env, ...more } }),
    /** Other values for --base-url and --email may be among the flags. */
    login: (server: Pick<RecordingServer, 'baseUrl'>, ...flags: string[]) => {
      const account = { '--base-url': server.baseUrl, '--email': email };
      const own = Object.entries(account).filter(([flag]) => !flags.includes(flag));
      const argv = ['login', ...own.flat(), '--password-stdin', '--insecure-storage', ...flags];
      return mar(argv, { env, stdin: 'secret\n' });
    },
    config: () => read('config.json'),
    tokens: () => read('tokens.json'),
    writeConfig: (config: Config) =>
      writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config)),
  };
}

/** A home that is logged in to a service, which sends these responses afterwards. */
export async function loggedIn(...responses: CannedResponse[]) {
  const server = await recordingServer(session('t-1'), ...responses);
  const own = home();
  await own.login(server);
  return { ...own, server };
}
