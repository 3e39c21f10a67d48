const newestTestedNode = 26;

let setFlags: ((flags: string) => void) | undefined;

/**
 * V8 lets the space for new objects grow with the number of objects ever made, up to 48 MB, even if
 * few are alive, such as one page of a long list. A Node version that does not know the flag
 * complains on standard error, so only versions that were tried get it.
 *
 * Compiled code is loaded from the cache only under the flags under which it was saved, so call this
 * after most code is loaded, and `restoreHeap` at the end.
 */
export async function keepHeapSmall(nodeVersion: string): Promise<void> {
  if (setFlags || Number.parseInt(nodeVersion.slice(1), 10) > newestTestedNode) return;
  setFlags = (await import('node:v8')).setFlagsFromString;
  setFlags('--semi-space-growth-factor=1');
}

/** Restores V8's default. */
export function restoreHeap(): void {
  setFlags?.('--semi-space-growth-factor=2');
  setFlags = undefined;
}
