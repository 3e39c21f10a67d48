import { type Command, noImportNote } from '../core/commands/command.ts';
import type { Hint } from '../core/errors.ts';
import type { Entry, Module } from '../module.ts';
import { modules } from '../modules.ts';

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

/** The verbs of a noun that has all its commands in one file. */
const verbsOf = <Verb extends string>(
  load: () => Promise<{ commands: Readonly<Record<Verb, Command>> }>,
  ...verbs: readonly Verb[]
): NounEntry['verbs'] =>
  Object.fromEntries(
    verbs.map((verb) => [verb, async () => ({ command: (await load()).commands[verb] })]),
  );

/** The words of the core, in the order of help. */
const core: readonly Entry[] = [
  ...grouped('Start here', {
    login: { summary: 'Log in to the service', load: () => import('../core/commands/login.ts') },
  }),
  ...grouped('Find', {
    log: {
      summary: 'List the writes in your log, and whether they are final',
      load: () => import('../core/commands/log.ts'),
    },
    undo: {
      summary: 'Take back the last change, or one of mar log',
      load: () => import('../core/commands/undo.ts'),
    },
  }),
  ...grouped('Media', {
    asset: {
      summary: 'Show and change assets',
      verbs: {
        get: () => import('../core/commands/asset/get.ts'),
        put: () => import('../core/commands/asset/put.ts'),
        edit: () => import('../core/commands/asset/edit.ts'),
        workflow: () => import('../core/commands/asset/workflow.ts'),
        'workflow-notify': () => import('../core/commands/asset/workflowNotify.ts'),
      },
    },
    wr: {
      aliases: ['work-request', 'work-requests', 'workrequest', 'workrequests'],
      summary: 'Show and create work requests: orders for a version of an asset',
      verbs: {
        get: () => import('../core/commands/wr/get.ts'),
        create: () => import('../core/commands/wr/create.ts'),
        open: () => import('../core/commands/wr/open.ts'),
      },
    },
    translation: {
      summary: 'Submit translations',
      details: noImportNote,
      verbs: {
        submit: () => import('../core/commands/translation/submit.ts'),
      },
    },
    file: {
      summary: 'List files and submit their metadata',
      verbs: {
        list: () => import('../core/commands/file/list.ts'),
        'upload-meta': () => import('../core/commands/file/uploadMeta.ts'),
      },
    },
    preview: {
      summary: 'Write the records of previews of assets',
      verbs: { put: () => import('../core/commands/preview/put.ts') },
    },
    offline: {
      summary: 'Write the records of offline files',
      verbs: { put: () => import('../core/commands/offline/put.ts') },
    },
  }),
  ...grouped('Activity', {
    downloads: {
      aliases: ['download'],
      summary: 'List downloads',
      verbs: {
        list: () => import('../core/commands/downloads/list.ts'),
      },
    },
    notification: {
      summary: 'Show a notification, by its id',
      verbs: { show: () => import('../core/commands/notification/show.ts') },
    },
    event: {
      summary: 'Write events, which may notify people',
      verbs: { put: () => import('../core/commands/event/put.ts') },
    },
    user: {
      summary: 'List users and change their records',
      verbs: {
        list: () => import('../core/commands/user/list.ts'),
        put: () => import('../core/commands/user/put.ts'),
      },
    },
  }),
  ...grouped('Account', {
    logout: {
      summary: 'Log out and revoke the token',
      load: () => import('../core/commands/logout.ts'),
    },
    whoami: {
      summary: 'Show who you are logged in as',
      load: () => import('../core/commands/whoami.ts'),
    },
    profile: {
      summary: 'List, choose, rename and remove profiles',
      verbs: verbsOf(
        () => import('../core/commands/profile.ts'),
        'list',
        'use',
        'rename',
        'remove',
      ),
    },
    config: {
      summary: 'Show and change settings',
      verbs: verbsOf(() => import('../core/commands/config.ts'), 'list', 'get', 'set', 'unset'),
    },
    completion: {
      summary: 'Print the completion script for a shell',
      load: () => import('../core/commands/completion.ts'),
    },
    doctor: {
      summary: 'Find out why mar does not work',
      load: () => import('../core/commands/doctor.ts'),
    },
  }),
  ...grouped('Tools', {
    api: {
      summary: 'Send a request of your own to the service',
      load: () => import('../core/commands/api.ts'),
    },
    schema: {
      summary: 'Print the fields of records: JSON Schema, OpenAPI',
      load: () => import('../core/commands/schema.ts'),
    },
  }),
];

/** Puts new members before the one of that name, or behind all. */
function insert<Member>(
  members: readonly Member[],
  added: readonly Member[],
  isBefore: (member: Member) => boolean,
): Member[] {
  const at = members.findIndex(isBefore);
  return members.toSpliced(at < 0 ? members.length : at, 0, ...added);
}

function withModule(entries: readonly Entry[], module: Module): readonly Entry[] {
  const all = (module.entries ?? []).reduce(
    (before, { before: name, ...entry }) => insert(before, [entry], (one) => one.name === name),
    [...entries],
  );
  return all.map((entry) => {
    const { before, verbs = {}, ...texts } = module.verbs?.[entry.name] ?? {};
    const { load } = entry;
    const extendEntry = module.extends?.[entry.name];
    if (load && extendEntry) {
      return {
        ...entry,
        load: async () => ({ command: await extendEntry((await load()).command) }),
      };
    }
    if (!entry.verbs) return entry;
    const files = insert(
      Object.entries(entry.verbs),
      Object.entries(verbs),
      ([verb]) => verb === before,
    ).map(([verb, file]) => {
      const extend = module.extends?.[`${entry.name} ${verb}`];
      return [
        verb,
        extend ? async () => ({ command: await extend((await file()).command) }) : file,
      ];
    });
    return { ...entry, ...texts, verbs: Object.fromEntries(files) };
  });
}

/** Every word that can follow `mar`, in the order of help. */
export const table: readonly Entry[] = modules.reduce(withModule, core);

/** The topics of `mar help`, with their titles. */
export const helpTopics: Readonly<Record<string, string>> = {
  fields: 'Flags for the fields of a record',
  ...Object.assign({}, ...modules.map(({ topics }) => topics)),
  output: 'Flags for what a command prints',
  flags: 'Flags that every command takes',
  environment: 'Environment variables that mar reads',
  'exit-codes': 'Exit codes of every command',
};

/** False for a hint whose command belongs to a module that this program does not have. */
export function isAvailable({ command: [program, word, verb] = [] }: Hint): boolean {
  if (program !== 'mar' || typeof word !== 'string' || /^-|^help$/.test(word)) return true;
  const entry = table.find(({ name }) => name === word);
  if (!entry || entry.load || typeof verb !== 'string') return entry !== undefined;
  return verb.startsWith('-') || Object.hasOwn(entry.verbs ?? {}, verb);
}
