import type { Hint } from '../errors.ts';
import type { Entry, Module } from '../module.ts';
import { modules } from '../modules.ts';
import { noImportNote } from './command.ts';

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

/** The words of the core, in the order of help. */
const core: readonly Entry[] = [
  ...grouped('Start here', {
    login: { summary: 'Log in to the service', load: () => import('./login.ts') },
  }),
  ...grouped('Find', {
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
      summary: 'Show and create work requests',
      verbs: {
        get: () => import('./wr/get.ts'),
        create: () => import('./wr/create.ts'),
        open: () => import('./wr/open.ts'),
      },
    },
    translation: {
      summary: 'Submit translations',
      details: noImportNote,
      verbs: {
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
      summary: 'List who downloaded which file',
      verbs: {
        list: () => import('./downloads/list.ts'),
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
    api: { summary: 'Send any request to the service', load: () => import('./api.ts') },
    schema: {
      summary: 'Print the fields of records: JSON Schema, OpenAPI',
      load: () => import('./schema.ts'),
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

/** False for a hint whose command belongs to a module that this program does not have. */
export function isAvailable({ command: [program, word, verb] = [] }: Hint): boolean {
  if (program !== 'mar' || typeof word !== 'string' || /^-|^help$/.test(word)) return true;
  const entry = table.find(({ name }) => name === word);
  if (!entry || entry.load || typeof verb !== 'string') return entry !== undefined;
  return verb.startsWith('-') || Object.hasOwn(entry.verbs ?? {}, verb);
}
