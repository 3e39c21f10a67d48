import path from 'node:path';
import { type Input, option, stringOption } from '../../../core/input.ts';
import type { Session } from '../../../core/session/session.ts';
import { words } from '../../../core/values/commandLine.ts';

export const dataOption = option('--data <dir>', 'folder for the data', {
  default: 'sandbox in the state folder; mar sandbox status shows it',
  completes: 'folder',
});

const defaultFolder = ({ folders }: Session) => path.resolve(folders.state, 'sandbox');

/** An absolute path. */
export const dataFolderOf = (session: Session, input: Input): string =>
  path.resolve(stringOption(input, 'data') ?? defaultFolder(session));

/** The words of a command that chooses this folder. */
export const dataWords = (session: Session, dataDir: string) =>
  dataDir === defaultFolder(session) ? [] : words`--data ${dataDir}`;
