import { usageError } from '../../errors.ts';
import { type Input, type Option, textOption } from '../command.ts';

/** What an event is to be, as far as flags say so. */
export interface EventFlags {
  type?: string;
  files: readonly string[];
  workRequest?: string;
  users: readonly string[];
  groups: readonly string[];
}

export const eventOptions: readonly Option[] = [
  {
    flags: '--type <type>',
    summary: 'the type: fd (files), wam (a work request awaits materials), or another',
    default: 'by the other flags',
    completes: () => [
      { value: 'fd', summary: 'files were downloaded' },
      { value: 'wam', summary: 'a work request awaits materials' },
    ],
  },
  {
    flags: '--file-id <id>',
    summary: 'a file that it is about',
    many: true,
    completes: { idOf: 'File' },
  },
  {
    flags: '--work-request <id>',
    summary: 'the work request that it is about, read and put into the event',
    completes: { idOf: 'WorkRequest' },
  },
  {
    flags: '--notify-user <id>',
    summary: 'a user to be told',
    many: true,
    completes: { idOf: 'User' },
  },
  { flags: '--notify-group <id>', summary: 'a group to be told', many: true },
];

/** The flags, if any was given. */
export function readEventFlags(input: Input): EventFlags | undefined {
  const flags = {
    type: textOption(input, 'type'),
    files: listOption(input, 'fileId'),
    workRequest: textOption(input, 'workRequest'),
    users: listOption(input, 'notifyUser'),
    groups: listOption(input, 'notifyGroup'),
  };
  const { type, files, workRequest, users, groups } = flags;
  const texts = [type, workRequest, ...files, ...users, ...groups];
  if (texts.every((text) => text === undefined)) return undefined;
  if (texts.some((text) => text?.trim() === '')) {
    throw usageError('a type or an id is empty', 'nothing was sent');
  }
  return flags;
}

function listOption(input: Input, name: string): readonly string[] {
  const value = input.options[name];
  return Array.isArray(value) ? [...new Set<string>(value)] : [];
}
