import path from 'node:path';

/** How Node, or the program itself, is started as the process around the keychain library. */
export interface ChildStart {
  args: readonly string[];
  /** The name it is started under, where that is what makes it this process. */
  argv0?: string;
  cwd?: string;
}

/** Where the build puts it, seen from the chunk that this file ends up in. */
export const builtChild = (): ChildStart => ({
  args: [path.resolve(import.meta.dirname, '../keychain-child.js')],
  cwd: path.resolve(import.meta.dirname, '..'),
});
