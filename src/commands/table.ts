import { type Command, noImportNote } from './command.ts';

export type CommandFile = () => Promise<{ command: Command }>;

export interface Entry {
  name: string;
  group: string;
  aliases?: readonly string[];
  summary: string;
  details?: string;
  /** The command that has the name of the entry: `mar login`, `mar sandbox`. */
  load?: CommandFile;
  /** In the order of help. Each verb is a file, loaded only when it is used. */
  verbs?: Readonly<Record<string, CommandFile>>;
}

/** A kind of record with its commands: `mar wr get`, `mar wr create`. */
export type NounEntry = Entry & Required<Pick<Entry, 'verbs'>>;

export const isNoun = (entry: Entry): entry is NounEntry => entry.verbs !== undefined;

/** A noun can be given in the plural, unless it has other aliases. */
const grouped = (
  group: string,
  entries: Readonly<Record<string, Omit<Entry, 'name' | 'group'>>>,
): Entry[] =>
  Object.entries(entries).map(([name, entry]) => {
    const plural = entry.load ? {} : { aliases: [`${name}s`] };
    return { ...plural, ...entry, name, group };
  });

/** Every word that can follow `mar`, in the order of help. */
export const table: readonly Entry[] = [
  ...grouped('Start here', {
    login: { summary: 'Log in to the service', load: () => import('./login.ts') },
    sandbox: {
      summary: 'Start a local service with demo data, to try mar',
      load: () => import('./sandbox/sandbox.ts'),
      verbs: {
        status: () => import('./sandbox/status.ts'),
        stop: () => import('./sandbox/stop.ts'),
        reset: () => import('./sandbox/reset.ts'),
        export: () => import('./sandbox/export.ts'),
        set: () => import('./sandbox/set.ts'),
      },
    },
  }),
  ...grouped('Find', {
    today: {
      summary: 'Show what needs your attention, and whom it waits for',
      load: () => import('./today/today.ts'),
    },
    find: { summary: 'Find records by name or id', load: () => import('./find/find.ts') },
    recent: {
      summary: 'List the records that you used recently',
      load: () => import('./recent.ts'),
    },
  }),
  ...grouped('Media', {
    asset: {
      summary: 'Show and change assets',
      verbs: {
        get: () => import('./asset/get.ts'),
        put: () => import('./asset/put.ts'),
        edit: () => import('./asset/edit.ts'),
        workflow: () => import('./asset/workflow.ts'),
        'workflow-notify': () => import('./asset/workflowNotify.ts'),
      },
    },
    wr: {
      aliases: ['work-request', 'work-requests', 'workrequest', 'workrequests'],
      summary: 'Show, create and track work requests',
      verbs: {
        get: () => import('./wr/get.ts'),
        create: () => import('./wr/create.ts'),
        wait: () => import('./wr/wait.ts'),
        history: () => import('./wr/history.ts'),
        track: () => import('./wr/track.ts'),
        untrack: () => import('./wr/untrack.ts'),
        open: () => import('./wr/open.ts'),
      },
    },
    translation: {
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
    file: {
      summary: 'List files and submit their metadata',
      verbs: {
        list: () => import('./file/list.ts'),
        'upload-meta': () => import('./file/uploadMeta.ts'),
      },
    },
    preview: {
      summary: 'Write the records of previews of assets',
      verbs: { put: () => import('./preview/put.ts') },
    },
    offline: {
      summary: 'Write the records of offline files',
      verbs: { put: () => import('./offline/put.ts') },
    },
  }),
  ...grouped('Activity', {
    downloads: {
      aliases: ['download'],
      summary: 'List who downloaded which file, also under embargo',
      verbs: {
        list: () => import('./downloads/list.ts'),
        audit: () => import('./downloads/audit.ts'),
      },
    },
    notification: {
      summary: 'Show a notification, by its id',
      verbs: { show: () => import('./notification/show.ts') },
    },
    event: {
      summary: 'Write events, which notify people',
      verbs: { put: () => import('./event/put.ts') },
    },
    user: {
      summary: 'List users and change their records',
      verbs: { list: () => import('./user/list.ts'), put: () => import('./user/put.ts') },
    },
  }),
  ...grouped('Account', {
    logout: { summary: 'Log out and revoke the token', load: () => import('./logout.ts') },
    whoami: { summary: 'Show who you are logged in as', load: () => import('./whoami.ts') },
    profile: {
      summary: 'List, choose, rename and remove profiles',
      verbs: {
        list: async () => ({ command: (await import('./profile.ts')).commands.list }),
        use: async () => ({ command: (await import('./profile.ts')).commands.use }),
        rename: async () => ({ command: (await import('./profile.ts')).commands.rename }),
        remove: async () => ({ command: (await import('./profile.ts')).commands.remove }),
      },
    },
    config: {
      summary: 'Show and change settings',
      verbs: {
        list: async () => ({ command: (await import('./config.ts')).commands.list }),
        get: async () => ({ command: (await import('./config.ts')).commands.get }),
        set: async () => ({ command: (await import('./config.ts')).commands.set }),
        unset: async () => ({ command: (await import('./config.ts')).commands.unset }),
      },
    },
    completion: {
      summary: 'Print the completion script for a shell',
      load: () => import('./completion.ts'),
    },
    doctor: { summary: 'Find out why mar does not work', load: () => import('./doctor.ts') },
  }),
  ...grouped('Tools', {
    batch: {
      aliases: ['batches'],
      summary: 'Show, decide and undo batches of many records',
      details:
        'A batch is started by the command of its records, and resumed by the same command: mar wr create --batch FILE',
      verbs: {
        list: () => import('./batch/list.ts'),
        status: () => import('./batch/status.ts'),
        resolve: () => import('./batch/resolve.ts'),
        undo: () => import('./batch/undo.ts'),
        report: () => import('./batch/report.ts'),
      },
    },
    api: { summary: 'Send any request to the service', load: () => import('./api.ts') },
    schema: {
      summary: 'Print the fields of records: JSON Schema, OpenAPI',
      load: () => import('./schema.ts'),
    },
    mcp: {
      summary: 'Let an AI agent use mar (Model Context Protocol)',
      load: () => import('./mcp.ts'),
    },
    skill: {
      summary: 'Print instructions for AI agents with a shell',
      load: () => import('./skill.ts'),
    },
  }),
];
