import { join } from 'node:path';
import { MarError } from '../errors.ts';
import { readRegularFile } from '../files/regularFile.ts';
import type { Accounts } from './accounts.ts';
import { writeDataFile } from './dataFolder.ts';

/** The token of the first user, in a file that the profile of `mar sandbox --login` names. */
export class Login {
  readonly #folder: string;
  readonly #accounts: Accounts;

  constructor(folder: string, accounts: Accounts) {
    this.#folder = folder;
    this.#accounts = accounts;
  }

  /** Returns the path of the file. Its token is kept if it is valid. */
  tokenFile(): string {
    const { userId } = this.#accounts.first();
    const token = this.#read();
    if (token === undefined || !this.#accounts.isValid(userId, token)) {
      writeDataFile(this.#folder, tokenFileName, `${this.#accounts.issueToken(userId)}\n`);
    }
    return tokenFilePath(this.#folder);
  }

  /** Makes the token valid in a new database, so that a reset logs nobody out. */
  restore(): void {
    const token = this.#read();
    if (token) this.#accounts.acceptToken(this.#accounts.first().userId, token);
  }

  #read(): string | undefined {
    try {
      return readRegularFile(tokenFilePath(this.#folder)).toString('utf8').trim() || undefined;
    } catch (error) {
      if (error instanceof MarError) throw error;
      // Missing, or unreadable: it is written again.
      return undefined;
    }
  }
}

const tokenFileName = 'token';

export const tokenFilePath = (folder: string): string => join(folder, tokenFileName);
