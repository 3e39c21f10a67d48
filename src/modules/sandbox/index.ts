import type { SandboxOptions } from './start.ts';

/*
 * The sandbox: the whole service on this machine. All of it is loaded late, because most commands need
 * only a small part.
 */

const control = () => import('./control/runningSandbox.ts');

// Facts that commands know without loading anything.
export { defaultPort, demoPassword, tokenFilePath } from './constants.ts';
export type { FoundRecord } from './control/records.ts';
export type { Sandbox } from './start.ts';

// A sandbox in this process.
export const startSandbox = async (options: SandboxOptions) =>
  (await import('./start.ts')).startSandbox(options);
export const readSeed = async (path: string) => (await import('./seed/readSeed.ts')).readSeed(path);

// A sandbox in another process, or its data folder.
export const runningSandbox = async (dataDir: string) => (await control()).runningSandbox(dataDir);
export const resetSandbox = async (dataDir: string) => (await control()).resetSandbox(dataDir);
export const sandboxStatus = async (dataDir: string) => (await control()).sandboxStatus(dataDir);
export async function* exportedPages(dataDir: string) {
  yield* (await control()).exportedPages(dataDir);
}
export const makeDataFolder = async (folder: string) =>
  (await import('./store/dataFolder.ts')).makeDataFolder(folder);

// The database, which the one-file program replaces.
export type { connect, SqlValue } from './store/libsql.ts';
