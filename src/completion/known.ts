import type { Resource } from '../api/endpoints.ts';
import type { Candidate } from '../commands/command.ts';
import { parseBaseUrl } from '../config/baseUrl.ts';
import { type Config, configFile, profileOf } from '../config/config.ts';
import { type Environment, findFolders } from '../config/folders.ts';
import { usedIds } from '../config/usedIds.ts';
import { profileName } from '../credentials/identity.ts';
import { sanitise } from '../terminal/sanitise.ts';
import type { Known } from './candidates.ts';
import type { Line } from './line.ts';

/** What the files of this machine tell. No token is read and nobody is asked. */
export function localKnowledge(env: Environment, platform: NodeJS.Platform): Known {
  const folders = findFolders(env, platform);
  const config = () => readConfig(folders.config);
  return {
    profiles: () =>
      Object.entries(config().profiles ?? {})
        .filter(([name]) => sanitise(name) === name)
        .map(([name, { baseUrl }]) => ({ value: name, summary: sanitise(baseUrl) })),
    ids(resource: Resource, line: Line): Candidate[] {
      const own = config();
      const origin = originOf(env, own, line);
      if (own.settings?.rememberIds === 'off' || origin === undefined) return [];
      return usedIds(folders.state, { origin, resource }).map(({ id, name }) => ({
        value: id,
        summary: sanitise(name),
      }));
    },
  };
}

function readConfig(folder: string): Config {
  try {
    return configFile(folder).read();
  } catch {
    // Whatever is wrong with it, the next command says so; Tab is not the place.
    return {};
  }
}

/** The service that the command line would go to. */
function originOf(env: Environment, config: Config, { given }: Line): string | undefined {
  const textOf = (name: string) => [...given].find(([flag]) => flag.isCalled(name))?.[1];
  const profile = profileName({ env, config, profile: textOf('--profile') });
  const address = textOf('--base-url') || env.MAR_BASE_URL || profileOf(config, profile)?.baseUrl;
  return address && parseBaseUrl(address, { allowHttp: true }).origin;
}
