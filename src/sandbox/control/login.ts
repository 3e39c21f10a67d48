import { basename } from 'node:path';
import { MarError } from '../../errors.ts';
import { readRegularFile } from '../../files/regularFile.ts';
import { tokenFilePath } from '../constants.ts';
import type { Accounts } from '../store/accounts.ts';
import { writeDataFile } from '../store/dataFolder.ts';

/** Writes the file, unless its token is valid, and returns its path. */
export async function writeTokenFile(folder: string, accounts: Accounts): Promise<string> {
  const { userId } = accounts.first();
  const token = readToken(folder);
  const file = tokenFilePath(folder);
  if (token === undefined || !accounts.isValid(userId, token)) {
    await writeDataFile(folder, basename(file), `${accounts.issueToken(userId)}\n`);
  }
  return file;
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
