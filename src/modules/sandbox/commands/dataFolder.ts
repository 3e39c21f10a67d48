import path from 'node:path';
import { type Input, option, stringOption } from '../../../core/input.ts';
import type { Session } from '../../../core/session/session.ts';

export const dataOption = option('--data <dir>', 'folder for the data', {
  default: 'sandbox in the state folder; mar sandbox status --json shows it',
  completes: 'folder',
});

export const defaultDataFolder = ({ folders }: Session): string =>
  path.resolve(folders.state, 'sandbox');

export const dataFolderOf = (session: Session, input: Input): string =>
  path.resolve(stringOption(input, 'data') ?? defaultDataFolder(session));
