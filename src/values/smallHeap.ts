const newestTriedNode = 26;

/**
 * V8 lets the room for new objects grow with the number of objects that a program has ever made, up
 * to 48 MB, however few of them are alive: of a long list, one page is. A Node that does not know
 * the flag complains on standard error, so only those that were tried get it.
 */
export async function keepHeapSmall(nodeVersion: string): Promise<void> {
  if (Number.parseInt(nodeVersion.slice(1), 10) > newestTriedNode) return;
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
}
