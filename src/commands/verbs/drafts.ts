import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { makeFolder } from '../../files/makeFolder.ts';
import { readRegularFile } from '../../files/readRegularFile.ts';
import { replaceFileSync } from '../../files/replaceFile.ts';

/*
 * Texts that a person is working on. They are in files from the first moment to the last, so that
 * nothing that ends this program takes them along.
 */

/** In a folder that only its owner may read: a record is nobody else's business. */
export function newDraftFile({ folders, world }: Context, name: string, form: string): string {
  const folder = draftFolder(folders.state);
  try {
    makeFolder(folder);
  } catch (error) {
    throw usageError(
      `cannot use the folder ${folder}: ${(error as Error).message}`,
      'set MAR_STATE_DIR to a folder of your own',
    );
  }
  const time = world
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+Z/g, '');
  return path.join(folder, `${safeName(name)}-${time}-${randomUUID().slice(0, 8)}.${form}`);
}

const draftFolder = (state: string) => path.join(state, 'drafts');
const safeName = (name: string) => name.replace(/[^\w.-]/g, '_').slice(0, 100);

/** Texts that earlier edits of the same record left behind. */
export function draftsOf({ folders }: Context, name: string): string[] {
  const folder = draftFolder(folders.state);
  try {
    const begin = `${safeName(name)}-`;
    const names = readdirSync(folder).filter(
      // And nothing that an editor left beside one, such as a backup.
      (file) =>
        file.startsWith(begin) && /^\d{8}T\d{6}-[\da-f]{8}\.\w+$/.test(file.slice(begin.length)),
    );
    return names.map((file) => path.join(folder, file));
  } catch {
    return [];
  }
}

export function readDraft(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readRegularFile(file));
  } catch (error) {
    throw usageError(
      `cannot read what the editor left in ${file}: ${(error as Error).message}`,
      'nothing was written',
    );
  }
}

export const saveDraft = (file: string, text: string): void =>
  replaceFileSync(file, text, { sync: true });

export const removeDraft = (file: string): void => rmSync(file, { force: true });
