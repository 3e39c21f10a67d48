import type { Command, Noun } from './command.ts';

/** A word after `mar`: a command of its own, or a noun with commands below it. */
export interface Entry {
  name: string;
  aliases?: readonly string[];
  group: string;
  summary: string;
  /** Its code is loaded when the word is used. */
  load(): Promise<Command | Noun>;
}

/** Every word after `mar`, in the order of its help. */
export const table: readonly Entry[] = [
  {
    name: 'asset',
    aliases: ['assets'],
    group: 'Media',
    summary: 'Read and write assets',
    load: async () => (await import('./asset.ts')).asset,
  },
  {
    name: 'wr',
    aliases: ['work-request', 'workrequest'],
    group: 'Media',
    summary: 'Read and create work requests',
    load: async () => (await import('./wr.ts')).wr,
  },
  {
    name: 'translation',
    group: 'Media',
    summary: 'Subtitles: export, check, compare and submit them',
    load: async () => (await import('./translation.ts')).translation,
  },
  {
    name: 'file',
    aliases: ['files'],
    group: 'Media',
    summary: 'List files and submit their metadata',
    load: async () => (await import('./file.ts')).file,
  },
  {
    name: 'preview',
    group: 'Media',
    summary: 'Write previews of assets',
    load: async () => (await import('./preview.ts')).preview,
  },
  {
    name: 'offline',
    group: 'Media',
    summary: 'Write offline files of work requests',
    load: async () => (await import('./offline.ts')).offline,
  },
  {
    name: 'downloads',
    aliases: ['download'],
    group: 'Activity',
    summary: 'List who downloaded what',
    load: async () => (await import('./downloads.ts')).downloads,
  },
  {
    name: 'notification',
    group: 'Activity',
    summary: 'Show notifications',
    load: async () => (await import('./notification.ts')).notification,
  },
  {
    name: 'event',
    group: 'Activity',
    summary: 'Write events',
    load: async () => (await import('./event.ts')).event,
  },
  {
    name: 'user',
    aliases: ['users'],
    group: 'Activity',
    summary: 'List and write users',
    load: async () => (await import('./user.ts')).user,
  },
  {
    name: 'login',
    group: 'Account',
    summary: 'Log in and remember it',
    load: async () => (await import('./login.ts')).login,
  },
  {
    name: 'logout',
    group: 'Account',
    summary: 'Revoke the token and forget it',
    load: async () => (await import('./logout.ts')).logout,
  },
  {
    name: 'whoami',
    group: 'Account',
    summary: 'Show who you are logged in as',
    load: async () => (await import('./whoami.ts')).whoami,
  },
  {
    name: 'config',
    group: 'Account',
    summary: 'Profiles and settings',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'completion',
    group: 'Account',
    summary: 'Make Tab complete commands, flags and ids',
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'doctor',
    group: 'Account',
    summary: 'Find out why it does not work',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'api',
    group: 'Tools',
    summary: 'Send any request to the service',
    load: async () => (await import('./api.ts')).api,
  },
  {
    name: 'schema',
    group: 'Tools',
    summary: 'Print JSON Schemas, and OpenAPI of the service',
    load: async () => (await import('./schema.ts')).schema,
  },
  {
    name: 'sandbox',
    group: 'Tools',
    summary: 'Start a local service with demo data',
    load: async () => (await import('./sandbox.ts')).sandbox,
  },
];
