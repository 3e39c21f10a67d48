import path from 'node:path';

/*
 * The parts of the keychain that depend on how mar is installed. These are for the npm package; the
 * one-file program replaces this module by binary/keychainPackaging.ts.
 */

/** How to start the process around the keychain library. */
export interface ChildStart {
  args: readonly string[];
  /** The name that makes the one-file program run as this process. */
  argv0?: string;
  cwd?: string;
}

/** The paths are relative to the chunk that the build puts this module in. */
export const childStart = (): ChildStart => ({
  args: [path.resolve(import.meta.dirname, '../keychain-child.js')],
  cwd: path.resolve(import.meta.dirname, '..'),
});

/** Loaded late, so that the process can report a machine that has no build of the library. */
export const loadLibrary = () => import('@napi-rs/keyring');
