import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Memory } from '../../src/core/config/memory.ts';
import { account } from './recordingServer.ts';

/**
 * Variables for an account in a profile, with folders of its own: mar remembers what it uses. With a
 * token from the environment, it remembers nothing.
 */
export function storedAccount(folder: string, baseUrl: string): Record<string, string> {
  const config = path.join(folder, 'config');
  const tokenFile = path.join(config, 'token');
  mkdirSync(config, { recursive: true });
  writeFileSync(tokenFile, account.MAR_TOKEN, { mode: 0o600 });
  const profiles = { default: { baseUrl, email: account.MAR_EMAIL, tokenFile } };
  writeFileSync(path.join(config, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  return {
    MAR_BASE_URL: baseUrl,
    MAR_CONFIG_DIR: config,
    MAR_STATE_DIR: path.join(folder, 'state'),
  };
}

/** Writes a configuration with these profiles, of which the first is the default, and stored tokens. */
export function writeProfiles(
  folder: string,
  profiles: Readonly<Record<string, object>>,
  tokens?: Readonly<Record<string, string>>,
): void {
  const write = (name: string, content: object) =>
    writeFileSync(path.join(folder, name), JSON.stringify(content), { mode: 0o600 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  write('config.json', { defaultProfile: Object.keys(profiles)[0], profiles });
  if (tokens) write('tokens.json', tokens);
}

/** The variables of `storedAccount`, with settings of its service. */
export function withService(env: Record<string, string>, service: Record<string, string>) {
  const file = path.join(env.MAR_CONFIG_DIR ?? '', 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  config.profiles.default.service = service;
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return env;
}

/** What mar remembers with the variables of `storedAccount`. */
export const memoryOf = ({ MAR_STATE_DIR = '', MAR_BASE_URL = '' }: Record<string, string>) =>
  new Memory(MAR_STATE_DIR, { baseUrl: new URL(MAR_BASE_URL), email: account.MAR_EMAIL });

/** Remembers used ids of a resource, the last one as the newest. */
export async function remembered(
  env: Record<string, string>,
  kind: string,
  named: Readonly<Record<string, string>>,
): Promise<void> {
  const at = Date.now();
  await memoryOf(env).add(Object.entries(named).map(([id, text]) => ({ kind, id, text, at })));
}
