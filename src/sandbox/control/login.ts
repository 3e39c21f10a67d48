import { join } from 'node:path';
import { MarError } from '../../errors.ts';
import { readRegularFile } from '../../files/regularFile.ts';
import type { Accounts } from '../store/accounts.ts';
import { writeDataFile } from '../store/dataFolder.ts';

/* The token of the first user is in a file, which the profile of `mar sandbox --login` names. */

const tokenFileName = 'token';

export const tokenFilePath = (folder: string): string => join(folder, tokenFileName);

/** Writes the file, unless its token is valid, and returns its path. */
export async function writeTokenFile(folder: string, accounts: Accounts): Promise<string> {
  const { userId } = accounts.first();
  const token = readToken(folder);
  if (token === undefined || !accounts.isValid(userId, token)) {
    await writeDataFile(folder, tokenFileName, `${accounts.issueToken(userId)}\n`);
  }
  return tokenFilePath(folder);
}

/** Makes the token valid in a new database, so that a reset logs nobody out. */
export function restoreToken(folder: string, accounts: Accounts): void {
  const token = readToken(folder);
  if (token) accounts.acceptToken(accounts.first().userId, token);
}

/** Undefined if the file is missing or unreadable: it is written again. */
function readToken(folder: string): string | undefined {
  try {
    return readRegularFile(tokenFilePath(folder)).toString('utf8').trim() || undefined;
  } catch (error) {
    if (error instanceof MarError) throw error;
    return undefined;
  }
}
