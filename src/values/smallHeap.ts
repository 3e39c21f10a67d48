const newestTestedNode = 26;

/**
 * V8 lets the space for new objects grow with the number of objects ever made, up to 48 MB, even if
 * few are alive, such as one page of a long list. A Node version that does not know the flag
 * complains on standard error, so only versions that were tried get it.
 *
 * Returns a function that restores V8's default. Compiled code is loaded from the cache only under
 * the flags under which it was saved, so call this after most code is loaded, and restore at the end.
 */
export async function keepHeapSmall(nodeVersion: string): Promise<() => void> {
  if (Number.parseInt(nodeVersion.slice(1), 10) > newestTestedNode) return () => {};
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
  return () => setFlagsFromString('--semi-space-growth-factor=2');
}
