import type { builtChild as installed } from '../credentials/keychain/builtChild.ts';

/**
 * In place of credentials/keychain/builtChild.ts: the program starts itself under this name. No
 * argument does it, so that nothing a user types can.
 */
export const childName = 'mar-keychain-child';

export const builtChild: typeof installed = () => ({ args: [], argv0: childName });
