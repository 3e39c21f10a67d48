import { type Command, noImportNote } from './command.ts';

type Load = () => Promise<{ command: Command }>;

interface TableEntry {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** The commands that print a sentence, a script or nothing: there are no columns to choose. */
  withoutColumns?: readonly string[];
  /** The commands that need no account. */
  withoutProfile?: readonly string[];
}

/** A kind of record with its commands: `mar wr get`, `mar wr create`. */
export interface NounEntry extends TableEntry {
  details?: string;
  /** The command of the noun without a verb, which has the noun's name: `mar sandbox`. */
  load?: Load;
  /** In the order of help. Each verb is a file, loaded only when it is used. */
  verbs: Readonly<Record<string, Load>>;
}

export type UngroupedEntry = (TableEntry & { load: Load }) | NounEntry;
export type Entry = UngroupedEntry & { group: string };

export const isNoun = (entry: UngroupedEntry): entry is NounEntry => 'verbs' in entry;

/** The command of an entry without a verb, then its verbs. */
export async function loadCommands(entry: UngroupedEntry): Promise<Command[]> {
  const loads = [entry.load ?? [], isNoun(entry) ? Object.values(entry.verbs) : []].flat();
  const files = await Promise.all(loads.map((load) => load()));
  return files.map(({ command }) => command);
}

/** The words after `mar` that run a command. */
export const wordsOf = ({ name }: TableEntry, command: Command): string[] =>
  command.name === name ? [name] : [name, command.name];

/** A noun can be given in the plural, unless it has other aliases. */
const grouped = (group: string, entries: readonly UngroupedEntry[]): Entry[] =>
  entries.map((entry) => {
    const plural = isNoun(entry) && !entry.load ? { aliases: [`${entry.name}s`] } : {};
    return { ...plural, ...entry, group };
  });

/** Every word that can follow `mar`, in the order of help. */
export const table: readonly Entry[] = [
  ...grouped('Start here', [
    {
      name: 'login',
      summary: 'Log in to the service',
      withoutColumns: ['login'],
      load: () => import('./login.ts'),
    },
    {
      name: 'sandbox',
      summary: 'Start a local service with demo data, to try mar',
      withoutColumns: ['sandbox', 'status', 'stop', 'reset', 'export', 'set'],
      withoutProfile: ['status', 'stop', 'reset', 'export', 'set'],
      load: () => import('./sandbox/sandbox.ts'),
      verbs: {
        status: () => import('./sandbox/status.ts'),
        stop: () => import('./sandbox/stop.ts'),
        reset: () => import('./sandbox/reset.ts'),
        export: () => import('./sandbox/export.ts'),
        set: () => import('./sandbox/set.ts'),
      },
    },
  ]),
  ...grouped('Find', [
    {
      name: 'today',
      summary: 'Show what needs your attention, and whom it waits for',
      load: () => import('./today.ts'),
    },
    {
      name: 'find',
      summary: 'Find records by name or id',
      load: () => import('./find/find.ts'),
    },
    {
      name: 'recent',
      summary: 'List the records that you used recently',
      load: () => import('./recent.ts'),
    },
  ]),
  ...grouped('Media', [
    {
      name: 'asset',
      summary: 'Show and change assets',
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
      aliases: ['work-request', 'work-requests', 'workrequest', 'workrequests'],
      summary: 'Show, create and track work requests',
      withoutColumns: ['open', 'untrack'],
      verbs: {
        get: () => import('./wr/get.ts'),
        board: () => import('./wr/board.ts'),
        create: () => import('./wr/create.ts'),
        wait: () => import('./wr/wait.ts'),
        history: () => import('./wr/history.ts'),
        track: () => import('./wr/track.ts'),
        untrack: () => import('./wr/untrack.ts'),
        open: () => import('./wr/open.ts'),
      },
    },
    {
      name: 'translation',
      summary: 'Check, fix and compare subtitles; submit translations',
      details: noImportNote,
      verbs: {
        export: () => import('./translation/export.ts'),
        check: () => import('./translation/check.ts'),
        fix: () => import('./translation/fix.ts'),
        diff: () => import('./translation/diff.ts'),
        compare: () => import('./translation/compare.ts'),
        submit: () => import('./translation/submit.ts'),
      },
    },
    {
      name: 'file',
      summary: 'List files and submit their metadata',
      verbs: {
        list: () => import('./file/list.ts'),
        'upload-meta': () => import('./file/uploadMeta.ts'),
      },
    },
    {
      name: 'preview',
      summary: 'Write the records of previews of assets',
      verbs: { put: () => import('./preview/put.ts') },
    },
    {
      name: 'offline',
      summary: 'Write the records of offline files',
      verbs: { put: () => import('./offline/put.ts') },
    },
  ]),
  ...grouped('Activity', [
    {
      name: 'downloads',
      aliases: ['download'],
      summary: 'List who downloaded which file, also under embargo',
      verbs: {
        list: () => import('./downloads/list.ts'),
        audit: () => import('./downloads/audit.ts'),
      },
    },
    {
      name: 'notification',
      summary: 'Show a notification, by its id',
      verbs: { show: () => import('./notification/show.ts') },
    },
    {
      name: 'event',
      summary: 'Write events, which notify people',
      verbs: { put: () => import('./event/put.ts') },
    },
    {
      name: 'user',
      summary: 'List users and change their records',
      verbs: { list: () => import('./user/list.ts'), put: () => import('./user/put.ts') },
    },
  ]),
  ...grouped('Account', [
    {
      name: 'logout',
      summary: 'Log out and revoke the token',
      withoutColumns: ['logout'],
      load: () => import('./logout.ts'),
    },
    { name: 'whoami', summary: 'Show who you are logged in as', load: () => import('./whoami.ts') },
    {
      name: 'profile',
      summary: 'List, choose, rename and remove profiles',
      withoutColumns: ['use', 'rename', 'remove'],
      withoutProfile: ['list', 'use', 'rename', 'remove'],
      verbs: {
        list: async () => ({ command: (await import('./profile.ts')).commands.list }),
        use: async () => ({ command: (await import('./profile.ts')).commands.use }),
        rename: async () => ({ command: (await import('./profile.ts')).commands.rename }),
        remove: async () => ({ command: (await import('./profile.ts')).commands.remove }),
      },
    },
    {
      name: 'config',
      summary: 'Show and change settings',
      withoutColumns: ['get', 'set', 'unset'],
      verbs: {
        list: async () => ({ command: (await import('./config.ts')).commands.list }),
        get: async () => ({ command: (await import('./config.ts')).commands.get }),
        set: async () => ({ command: (await import('./config.ts')).commands.set }),
        unset: async () => ({ command: (await import('./config.ts')).commands.unset }),
      },
    },
    {
      name: 'completion',
      summary: 'Print the completion script for a shell',
      withoutColumns: ['completion'],
      withoutProfile: ['completion'],
      load: () => import('./completion.ts'),
    },
    {
      name: 'doctor',
      summary: 'Find out why mar does not work',
      load: () => import('./doctor.ts'),
    },
  ]),
  ...grouped('Tools', [
    {
      name: 'batch',
      aliases: ['batches'],
      summary: 'Show, decide and undo batches of many records',
      details:
        'A batch is started by the command of its records, and resumed by the same command: mar wr create --batch FILE',
      withoutColumns: ['status', 'resolve'],
      withoutProfile: ['status', 'resolve', 'report'],
      verbs: {
        list: () => import('./batch/list.ts'),
        status: () => import('./batch/status.ts'),
        resolve: () => import('./batch/resolve.ts'),
        undo: () => import('./batch/undo.ts'),
        report: () => import('./batch/report.ts'),
      },
    },
    {
      name: 'plan',
      summary: 'Show and apply writes that were planned with --plan',
      withoutColumns: ['show'],
      withoutProfile: ['show'],
      verbs: { show: () => import('./plan/show.ts'), apply: () => import('./plan/apply.ts') },
    },
    { name: 'api', summary: 'Send any request to the service', load: () => import('./api.ts') },
    {
      name: 'schema',
      summary: 'Print the fields of records: JSON Schema, OpenAPI',
      withoutProfile: ['schema'],
      load: () => import('./schema.ts'),
    },
    {
      name: 'mcp',
      summary: 'Let an AI agent use mar (Model Context Protocol)',
      withoutColumns: ['mcp'],
      load: () => import('./mcp.ts'),
    },
    {
      name: 'skill',
      summary: 'Print instructions for AI agents with a shell',
      withoutColumns: ['skill'],
      withoutProfile: ['skill'],
      load: () => import('./skill.ts'),
    },
  ]),
];
