import type { Command, Example } from './command.ts';

type Load = () => Promise<{ command: Command }>;

interface TableEntry {
  name: string;
  aliases?: readonly string[];
  summary: string;
}

/** A command without a verb: `mar login`. */
interface CommandEntry extends TableEntry {
  load: Load;
}

/** A kind of record with its commands: `mar wr get`, `mar wr create`. */
export interface NounEntry extends TableEntry {
  examples: readonly Example[];
  /** In the order of help. Each verb is a file, loaded only when it is used. */
  verbs: Readonly<Record<string, Load>>;
}

type UngroupedEntry = CommandEntry | NounEntry;
export type Entry = UngroupedEntry & { group: string };

export const isNoun = (entry: UngroupedEntry): entry is NounEntry => 'verbs' in entry;

export async function loadCommands(entry: UngroupedEntry): Promise<Command[]> {
  const loads = isNoun(entry) ? Object.values(entry.verbs) : [entry.load];
  const files = await Promise.all(loads.map((load) => load()));
  return files.map(({ command }) => command);
}

const grouped = (group: string, entries: readonly UngroupedEntry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, group }));

/** Every word that can follow `mar`, in the order of help. */
export const table: readonly Entry[] = [
  ...grouped('Media', [
    {
      name: 'asset',
      aliases: ['assets'],
      summary: 'Read and write assets',
      examples: [
        { does: 'Show an asset', line: 'mar asset get a-1001' },
        { does: 'Change a field of it', line: 'mar asset put a-1001 --set usage.online=true' },
      ],
      verbs: {
        get: () => import('./asset/get.ts'),
        put: () => import('./asset/put.ts'),
        edit: () => import('./asset/edit.ts'),
        workflow: () => import('./asset/workflow.ts'),
        'workflow-notify': () => import('./asset/workflowNotify.ts'),
      },
    },
    {
      name: 'wr',
      aliases: ['work-request', 'workrequest'],
      summary: 'Read and create work requests',
      examples: [
        { does: 'Where does a request stand?', line: 'mar wr get wr-2001' },
        {
          does: 'Ask for a French version',
          line: 'mar wr create --set asset=a-1001 --set language=fra',
        },
      ],
      verbs: {
        get: () => import('./wr/get.ts'),
        create: () => import('./wr/create.ts'),
        wait: () => import('./wr/wait.ts'),
        history: () => import('./wr/history.ts'),
        open: () => import('./wr/open.ts'),
      },
    },
    {
      name: 'translation',
      summary: 'Subtitles: export, check, compare and submit them',
      examples: [
        { does: 'As subtitles', line: 'mar translation export wr-2001 -O trailer.srt' },
        { does: 'Is it in order?', line: 'mar translation check wr-2001' },
        {
          does: 'Submit it',
          line: 'mar translation submit --work-request wr-2001 --asset a-1001 --language fra',
        },
      ],
      verbs: {
        export: () => import('./translation/export.ts'),
        check: () => import('./translation/check.ts'),
        diff: () => import('./translation/diff.ts'),
        submit: () => import('./translation/submit.ts'),
      },
    },
    {
      name: 'file',
      aliases: ['files'],
      summary: 'List files and submit their metadata',
      examples: [
        { does: 'List files', line: 'mar file list' },
        {
          does: 'Submit metadata',
          line: 'mar file upload-meta trailer_fra.mov --asset a-1001 --language fra',
        },
      ],
      verbs: {
        list: () => import('./file/list.ts'),
        'upload-meta': () => import('./file/uploadMeta.ts'),
      },
    },
    {
      name: 'preview',
      summary: 'Write previews of assets',
      examples: [{ does: 'Write a preview', line: 'mar preview put -f preview.json' }],
      verbs: { put: () => import('./preview/put.ts') },
    },
    {
      name: 'offline',
      summary: 'Write offline files of work requests',
      examples: [{ does: 'Write an offline file', line: 'mar offline put o-6001 -f offline.json' }],
      verbs: { put: () => import('./offline/put.ts') },
    },
  ]),
  ...grouped('Activity', [
    {
      name: 'downloads',
      aliases: ['download'],
      summary: 'List who downloaded what',
      examples: [{ does: 'List downloads', line: 'mar downloads list --limit 50' }],
      verbs: { list: () => import('./downloads/list.ts') },
    },
    {
      name: 'notification',
      summary: 'Show notifications',
      examples: [{ does: 'Show a notification', line: 'mar notification show n-3001' }],
      verbs: { show: () => import('./notification/show.ts') },
    },
    {
      name: 'event',
      summary: 'Write events',
      examples: [
        { does: 'Write an event', line: 'mar event put -f event.json' },
        {
          does: 'Say that a work request awaits materials',
          line: 'mar event put --type wam --work-request wr-2001 --notify-user u-tom --set _id=e-4001',
        },
      ],
      verbs: { put: () => import('./event/put.ts') },
    },
    {
      name: 'user',
      aliases: ['users'],
      summary: 'List and write users',
      examples: [{ does: 'List users', line: 'mar user list' }],
      verbs: { list: () => import('./user/list.ts'), put: () => import('./user/put.ts') },
    },
  ]),
  ...grouped('Account', [
    { name: 'login', summary: 'Log in and remember it', load: () => import('./login.ts') },
    {
      name: 'logout',
      summary: 'Revoke the token and forget it',
      load: () => import('./logout.ts'),
    },
    { name: 'whoami', summary: 'Show who you are logged in as', load: () => import('./whoami.ts') },
    {
      name: 'config',
      summary: 'Profiles and settings',
      examples: [
        { does: 'All settings', line: 'mar config list' },
        { does: 'Always print JSON', line: 'mar config set output json' },
      ],
      verbs: {
        list: async () => ({ command: (await import('./config.ts')).commands.list }),
        get: async () => ({ command: (await import('./config.ts')).commands.get }),
        set: async () => ({ command: (await import('./config.ts')).commands.set }),
        unset: async () => ({ command: (await import('./config.ts')).commands.unset }),
      },
    },
    {
      name: 'completion',
      summary: 'Make Tab complete commands, flags and ids',
      load: () => import('./completion.ts'),
    },
    { name: 'doctor', summary: 'Find out why it does not work', load: () => import('./doctor.ts') },
  ]),
  ...grouped('Tools', [
    { name: 'api', summary: 'Send any request to the service', load: () => import('./api.ts') },
    {
      name: 'schema',
      summary: 'Print JSON Schemas, and OpenAPI of the service',
      load: () => import('./schema.ts'),
    },
    {
      name: 'sandbox',
      summary: 'Start a local service with demo data',
      load: () => import('./sandbox.ts'),
    },
  ]),
];
