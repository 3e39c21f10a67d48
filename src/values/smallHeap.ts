const newestTestedNode = 26;

/**
 * V8 lets the space for new objects grow with the number of objects ever made, up to 48 MB, even if
 * few are alive, such as one page of a long list. A Node version that does not know the flag
 * complains on standard error, so only versions that were tried get it.
 */
export async function keepHeapSmall(nodeVersion: string): Promise<void> {
  if (Number.parseInt(nodeVersion.slice(1), 10) > newestTestedNode) return;
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
}
