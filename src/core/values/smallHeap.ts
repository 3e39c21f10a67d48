const newestTestedNode = 26;

let setFlags: ((flags: string) => void) | undefined;

/**
 * V8 lets the space for new objects grow with the number of objects ever made, up to 48 MB, even if
 * few are alive, such as one page of a long list. The space for old objects may grow to several times
 * the size of what is alive before V8 collects the garbage in it; here, to 1.2 times. A Node version
 * that does not know these flags complains on standard error, so only versions that were tried get
 * them.
 *
 * Compiled code is loaded from the cache only under the flags under which it was saved, so call this
 * after most code is loaded, and `restoreHeap` at the end.
 */
export async function keepHeapSmall(nodeVersion: string): Promise<void> {
  if (setFlags || Number.parseInt(nodeVersion.slice(1), 10) > newestTestedNode) return;
  setFlags = (await import('node:v8')).setFlagsFromString;
  setFlags('--semi-space-growth-factor=1');
  setFlags('--heap-growing-percent=20');
}

/** Restores V8's defaults. */
export function restoreHeap(): void {
  setFlags?.('--semi-space-growth-factor=2');
  setFlags?.('--heap-growing-percent=0');
  setFlags = undefined;
}
