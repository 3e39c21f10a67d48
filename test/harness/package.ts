import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { temporaryFolder } from './mar.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Makes the package as npm would publish it, and returns its path. Call it in `beforeAll`. Its scripts
 * would build the program again, and remove it for a moment while other tests run it.
 */
export function packedTarball(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mar-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const argv = ['pack', '--ignore-scripts', '--pack-destination', folder];
  execFileSync('npm', argv, { cwd: root, stdio: 'pipe' });
  return path.join(folder, readdirSync(folder)[0] ?? '');
}

/** The environment without the variables that npm sets for its scripts, which a user's npm does not get. */
export const userEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** The arguments of npm that install a package into a prefix, without this machine's own settings. */
export function installArguments(prefix: string, what: string): string[] {
  const userConfig = path.join(temporaryFolder(), 'npmrc');
  writeFileSync(userConfig, '');
  const flags = ['--userconfig', userConfig, '--no-audit', '--no-fund', '--no-update-notifier'];
  return ['install', '--global', '--prefix', prefix, ...flags, what];
}
