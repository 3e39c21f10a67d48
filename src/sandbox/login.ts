import { join } from 'node:path';
import { systemCode } from '../errors.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import type { Accounts } from './accounts.ts';

/** The token of the first user, in a file that the profile of `mar sandbox --login` names. */
export class Login {
  readonly #path: string;
  readonly #accounts: Accounts;

  constructor(folder: string, accounts: Accounts) {
    this.#path = tokenFilePath(folder);
    this.#accounts = accounts;
  }

  /** Returns the path of the file. Its token is kept if it is valid. */
  async tokenFile(): Promise<string> {
    const { userId } = this.#accounts.first();
    const token = this.#read();
    if (token === undefined || !this.#accounts.isValid(userId, token)) {
      await replaceFile(this.#path, `${this.#accounts.issueToken(userId)}\n`);
    }
    return this.#path;
  }

  /** Makes the token valid in a new database, so that a reset logs nobody out. */
  restore(): void {
    const token = this.#read();
    if (token) this.#accounts.acceptToken(this.#accounts.first().userId, token);
  }

  #read(): string | undefined {
    try {
      return readRegularFile(this.#path).toString('utf8').trim() || undefined;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}

export const tokenFilePath = (folder: string): string => join(folder, 'token');
