import { type Endpoint, endpoints, type SchemaName } from '../api/endpoints.ts';
import shapes from '../api/shapes.json' with { type: 'json' };
import { type MarError, usageError } from '../errors.ts';
import { commandLine } from '../values/commandLine.ts';
import { nearest } from '../values/nearest.ts';
import type { Command } from './command.ts';
import { globalOptions, helpTopics } from './globals.ts';
import { type Entry, loadCommands, type NounEntry, table, wordsOf } from './table.ts';

/* Answers to commands that do not exist but are reasonable guesses. Loaded only for an unknown word. */

/** Verbs by what the user wants. Spelling never leads from a read to a write, nor the reverse. */
const verbsByIntent: Readonly<Record<string, string>> = {
  list: 'list ls all search find query recent',
  get: 'get show view read info describe cat status',
  create: 'create new add post make insert submit invite',
  update: 'put update edit set patch modify change rename replace write',
  delete: 'unset delete remove rm del destroy cancel',
  upload: 'upload push import upload-meta',
  download: 'download export pull fetch save',
  wait: 'wait watch follow poll',
  run: 'run start resume continue retry send',
  history: 'history log logs',
  open: 'open browse web',
  check: 'check lint validate verify',
  fix: 'fix repair correct autofix',
  diff: 'diff compare',
};

const intents = new Map(
  Object.entries(verbsByIntent).flatMap(([intent, verbs]) =>
    verbs.split(' ').map((verb) => [verb, intent] as const),
  ),
);

type Answer = readonly [fact: string, hint: string];

const noDownload = 'the API has no request that downloads a file';
const noUpload: Answer = [
  'the API has no request that uploads content',
  'To submit the metadata of a file, run: mar file upload-meta PATH --asset ID',
];

const startBatch: Answer = [
  'the command of the records starts and resumes a batch',
  'For example, run: mar wr create --batch FILE',
];

const correctLines =
  'Correct the lines of the work request in the web application. To open it, run: mar wr open ID';

const onlyInList = (noun: string, fact: string): Answer => [
  `the service ${fact}`,
  `To find one in the list, run: mar ${noun} list --all --jq 'select(._id == "ID")'`,
];

/** `file search` and `user find`: the list exists, but searching it is another command. */
const searchVerbs = new Set(['search', 'find', 'query']);

/** By the name of the noun and the intent. `get` also answers `list`. */
const answers: Readonly<Record<string, Answer>> = {
  'wr list': [
    'the service cannot list or search work requests',
    'It returns a work request by its id only: mar wr get ID. To see those that need your attention, run: mar today',
  ],
  'wr update': [
    'the service cannot change a work request',
    'mar wr create would create a second one. To open its page in the web application, run: mar wr open ID',
  ],
  'wr delete': [
    'the service cannot delete a work request',
    'To open its page in the web application, run: mar wr open ID',
  ],
  'wr download': [noDownload, 'To save the subtitles, run: mar translation export ID -O FILE.srt'],
  'asset list': [
    'the service cannot list or search assets',
    'If you have the id, use mar asset get ID. To search the lists that name assets, run: mar find WORDS --kind asset',
  ],
  'translation get': [
    'the service returns translations only as part of their work request',
    'To print the subtitles, run: mar translation export WORK_REQUEST_ID',
  ],
  'translation update': [
    'the service cannot change a translation, and does not accept lines',
    correctLines,
  ],
  'translation upload': ['the API does not accept lines', correctLines],
  'file get': onlyInList('file', 'cannot return a single file'),
  'file create': noUpload,
  'file upload': noUpload,
  'file update': ['the service cannot change a file', 'To list files, run: mar file list'],
  'preview get': [
    'the service returns previews only as part of their asset',
    'To show the asset, run: mar asset get ID',
  ],
  'offline get': [
    'the service returns offline files only as part of their work request',
    'To show the work request, run: mar wr get ID --json',
  ],
  'downloads get': onlyInList('downloads', 'cannot return a single download'),
  'downloads download': [noDownload, 'To list what was downloaded, run: mar downloads list'],
  'notification list': [
    'the service cannot list notifications',
    'It returns a notification by its id only: mar notification show ID. To list those that you used, run: mar recent notification',
  ],
  'notification create': [
    'the service cannot create a notification',
    'It notifies users about events. To write an event, run: mar event put -f FILE',
  ],
  'notification update': [
    'the service cannot change a notification',
    'To show it, run: mar notification show ID',
  ],
  'event get': [
    'the service returns events only as part of their notifications',
    'To show a notification, run: mar notification show ID',
  ],
  'batch create': startBatch,
  'batch run': startBatch,
  'user get': onlyInList('user', 'cannot look up one user by id'),
};

const generalAnswers = (name: string, canPut: boolean): Readonly<Record<string, Answer>> => ({
  create: canPut
    ? [
        'the API does not say how to create such a record',
        `To write a record whose id you know, see: mar ${name} put --help`,
      ]
    : ['the service cannot create such records', `To see what you can do, run: mar ${name} --help`],
  delete: ['the service cannot delete records', `To see what you can do, run: mar ${name} --help`],
  upload: noUpload,
  download: [noDownload, 'To see where files are stored, run: mar file list --columns name,path'],
});

/** Kinds of records that the service has no requests for, and where to see them. */
const withoutRequests = {
  projects: 'To search the projects in downloads, run: mar find WORDS --kind project',
  studios: 'To see the ids of studios, run: mar file list --columns name,studio',
  groups: "To see the groups of users, run: mar user list --all --jq '.groups[]'",
  territories: 'To see those of users, run: mar user list --jq .territory',
};
const noRequests = (kind: keyof typeof withoutRequests): Answer => [
  `the service has no requests for ${kind}`,
  withoutRequests[kind],
];
const startWithNoun = (commands: string): Answer => [
  'a command starts with the kind of record',
  `For example, run ${commands}.`,
];

const firstWords: Readonly<Record<string, Answer | string>> = {
  'project projects': noRequests('projects'),
  'studio studios': noRequests('studios'),
  'group groups team teams': noRequests('groups'),
  'territory territories': noRequests('territories'),
  'list ls': startWithNoun('mar file list, mar downloads list or mar user list'),
  'search query lookup grep': 'To search by name or id, run: mar find WORDS',
  'inbox mine my late todo overdue due agenda attention tasks dashboard morning':
    'To see which work requests need your attention, run: mar today',
  'last used recents': 'To list what you used recently, run: mar recent',
  'get show view read': startWithNoun('mar asset get ID or mar wr get ID'),
  'create new add': startWithNoun('mar wr create or mar translation submit'),
  'update edit put change': startWithNoun('mar asset edit ID or mar user put ID'),
  'delete remove rm': [
    'the service cannot delete records',
    'To see what it can do, run: mar schema',
  ],
  upload: noUpload,
  'status ping health test': [
    'the API has no request for the status of the service',
    'To check the service and your login, run: mar doctor',
  ],
  'init setup auth signin sign-in signup register connect': 'To log in, run: mar login',
  'signout sign-out': 'To log out, run: mar logout',
  'who me account session token':
    'To see your account and where its token is stored, run: mar whoami',
  'settings configure preferences': 'To see the settings, run: mar config list',
  'demo try mock server serve start': 'To start a local service, run: mar sandbox',
  'subtitle subtitles srt vtt': 'To print subtitles, run: mar translation export WORK_REQUEST_ID',
  'export check fix diff submit': startWithNoun('mar translation export WORK_REQUEST_ID'),
  'history wait watch open': startWithNoun('mar wr history ID or mar wr wait ID'),
  'request requests': 'To see the commands for work requests, run: mar wr --help',
  'media video trailer': 'To see the commands for assets, run: mar asset --help',
  'import bulk':
    'mar wr create --batch FILE creates many work requests. To change many assets, run: mar asset put --batch FILE',
  'undo revert rollback restore':
    'To take back what mar asset put --batch wrote, run: mar batch undo FILE',
  'curl http rest call': 'To send any request, run: mar api METHOD PATH',
  'openapi swagger field fields': 'To see the fields of a record, run: mar schema wr -o table',
  'env variables': 'To see the variables that mar reads, run: mar help environment',
  'man manual docs': 'To see the commands, run: mar help',
  upgrade: ['mar does not update itself', 'Install the new version the way you installed mar.'],
};

const flagHints: Readonly<Record<string, string>> = {
  '--format --out --csv --tsv --yaml --table': 'To choose the output format, use -o FORMAT.',
  '--verbose --trace': 'To print each request and response, use --debug.',
  '--token': 'Set MAR_TOKEN, or store the token with mar login --token-stdin.',
  '--password': 'mar login asks for the password, or reads it with --password-stdin.',
  '--host --url --server --endpoint': 'To choose the service, use --base-url URL.',
  '--user --username': 'To choose the account, use mar login --email ADDRESS.',
  '--filter --query --where --select': 'To filter the output, use --jq FILTER.',
  '--id --ids': 'Give ids without a flag, for example: mar wr get ID',
  '--data --body': 'To send a record from a file, use -f FILE with a command that writes.',
  '--page --offset --count': 'To choose records of a list, use --range or --limit.',
  '--insecure --no-verify': 'To trust a certificate, use --ca-cert FILE.',
  '--config': 'To use another config folder, set MAR_CONFIG_DIR.',
  '--watch --wait --follow': 'To wait for a status, run: mar wr wait ID --status STATUS',
};

const lookUp = <Value>(word: string, rows: Readonly<Record<string, Value>>) =>
  Object.entries(rows).find(([words]) => words.split(' ').includes(word))?.[1];

/** `mar help X` may also name a topic. */
export function unknownCommand(word: string, isHelp: boolean): MarError {
  const message = `unknown command "${word}"`;
  const refuse = (hint: string, suggestion?: string) =>
    usageError(message, hint, { value: word, suggestion });
  if (/^https?:/i.test(word)) {
    return refuse('To show the work request of an address, run: mar wr get ADDRESS');
  }
  const found = lookUp(word, firstWords);
  if (typeof found === 'string') return refuse(found);
  if (found) return usageError(`${message}: ${found[0]}`, found[1], { value: word });
  const entries = new Map(
    table.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((word) => [word, name])),
  );
  const meant = nearest(word, [...entries.keys(), ...Object.keys(helpTopics)]);
  if (meant === undefined) return refuse('To see all commands, run: mar --help');
  const name = entries.get(meant) ?? meant;
  const isTopic = isHelp || !entries.has(meant);
  return refuse(`Did you mean mar ${isTopic ? 'help ' : ''}${name}?`, name);
}

export function unknownVerb({ name, verbs }: NounEntry, word: string): MarError {
  const refuse = (hint: string, fact?: string, suggestion?: string) => {
    const message = `unknown command "${name} ${word}"`;
    return usageError(fact ? `${message}: ${fact}` : message, hint, { value: word, suggestion });
  };
  const known = Object.keys(verbs);
  // Short words are like too many others.
  const longVerbs = [...intents.keys()].filter((verb) => verb.length > 3);
  // A known word is never taken for a misspelt one.
  const meant = intents.has(word) ? word : (nearest(word, [...known, ...longVerbs]) ?? '');
  if (known.includes(meant)) return refuse(`Did you mean mar ${name} ${meant}?`, undefined, meant);
  // `mar download ID` is an alias with an id.
  const intent = intents.get(meant) ?? (name === 'downloads' ? 'download' : '');
  const same = known.find((verb) => intents.get(verb) === intent);
  const own = (wanted: string) => answers[`${name} ${wanted}`];
  const isOurs = name === 'config' || name === 'batch';
  const general = isOurs || same ? {} : generalAnswers(name, known.includes('put'));
  const answer = own(intent) ?? general[intent] ?? (intent === 'list' && !same && own('get'));
  if (answer) return refuse(answer[1], answer[0]);
  if (same && searchVerbs.has(word) && !isOurs) {
    const hasKind = name === 'file' || name === 'user';
    const search = hasKind ? commandLine`mar find WORDS --kind ${name}` : 'mar find WORDS';
    return refuse(`To search by name or id, run: ${search}`);
  }
  if (same) return refuse(`Did you mean mar ${name} ${same}?`);
  const read = known.find((verb) => verb === 'get' || verb === 'show');
  if (read && /\d/.test(word)) {
    return refuse(`To show it, run: ${commandLine`mar ${name} ${read} ${word}`}`);
  }
  const list = `The commands are ${known.join(', ')}.`;
  return refuse(`${list} For more, run: mar ${name} --help`);
}

interface UnknownFlagFacts {
  /** That of the command. */
  path: string;
  command?: Command;
  args: readonly string[];
}

export async function unknownFlag(word: string, { path, command, args }: UnknownFlagFacts) {
  const [flag = '', value] = word.split(/=(.*)/s);
  const options = [...(command?.options ?? []), ...globalOptions];
  const known = options.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? []);
  const line = ['mar', path].filter(Boolean).join(' ');
  if (known.includes(flag)) {
    const isSwitch = options.some(({ flags }) => flags.endsWith(flag));
    return value !== undefined && isSwitch
      ? usageError(`${flag} takes no value`, `Write ${flag} alone.`, { flag, value })
      : usageError(`${flag} stands before its command`, `Write: ${line} ${flag}`, { flag });
  }
  const message = `unknown flag ${flag} for ${line}`;
  const refuse = (hint: string, suggestion?: string) =>
    usageError(message, hint, { flag, suggestion });
  const helpHint = `To see the flags of ${line}, run: ${line} --help`;
  const name = flag.replace(/^--/, '');
  if (name === flag) return refuse(helpHint);
  const moved = known.includes('--journal') ? movedFlag(flag, { path, args }) : undefined;
  if (moved) return moved;
  const endpoint: Endpoint | undefined = command?.endpoint && endpoints[command.endpoint];
  const written = endpoint?.body && known.includes('--set') && fieldsOf(endpoint.body).get(name);
  if (written) {
    const edit = isReference(written) ? `${name}._id=ID` : `${name}=VALUE`;
    return refuse(`To set this field, use --set ${edit}.`);
  }
  if (command?.arguments?.[0]?.name === 'id' && name === path.split(' ')[0]) {
    return refuse(`Give the id without a flag: mar ${path} ID`);
  }
  const meant = nearest(
    name,
    known.map((one) => one.replace(/^--/, '')).filter((one) => one.length > 2),
  );
  if (meant !== undefined) return refuse(`Did you mean --${meant}?`, `--${meant}`);
  const hint = lookUp(flag, flagHints);
  if (hint) return refuse(hint);
  const field = endpoint?.range && fieldsOf(endpoint.response).get(name);
  const filtered = field === 's' ? `.${name}` : field?.fields?._id && `.${name}._id`;
  if (filtered) {
    return refuse(`To filter the output, use --jq 'select(${filtered} == "VALUE")'`);
  }
  const owners = (await Promise.all(table.map((entry) => ownersOf(flag, entry)))).flat();
  if (owners.length === 0 || owners.length > 6) return refuse(helpHint);
  return refuse(`It is a flag of ${owners.join(', ')}. ${helpHint}`);
}

/** Answers a flag that batches had, with the command that took its place: `mar batch undo FILE`. */
export function movedFlag(flag: string, { path, args }: Pick<UnknownFlagFacts, 'path' | 'args'>) {
  const valuesOf = (name: string) =>
    args.flatMap((word, at) => {
      const isJoined = word.startsWith(`${name}=`);
      const value = isJoined ? word.slice(name.length + 1) : word === name ? args[at + 1] : '';
      return value && !value.startsWith('-') ? [value] : [];
    });
  const values = valuesOf(flag);
  const [file = 'FILE'] = [...valuesOf('--journal'), ...valuesOf('--batch')];
  const quoted = (words: readonly string[]) => words.map((word) => commandLine` ${word}`).join('');
  const commands: Readonly<Record<string, string>> = {
    '--undo': commandLine`mar batch undo ${values[0] ?? file}`,
    '--resolve': commandLine`mar batch resolve ${file}` + quoted(values),
    '--report': commandLine`mar batch report ${file} -O ${values[0] ?? 'FILE'}`,
    // Without --batch, it is a field of the record.
    ...(file !== 'FILE' && { '--status': commandLine`mar batch status ${file}` }),
  };
  const command = commands[flag];
  return command === undefined
    ? undefined
    : usageError(`${flag} of mar ${path} is now a command`, `Run: ${command}`);
}

type FieldShape = 's' | { fields?: { _id?: 's' }; anyOf?: FieldShape[] };

const fieldsOf = (schema: SchemaName) =>
  new Map<string, FieldShape>(Object.entries(JSON.parse(shapes[schema]).fields ?? {}));

/** True for an embedded record, which is written as `{"_id": …}`. */
const isReference = (field: FieldShape): boolean =>
  field !== 's' && (field.fields?._id !== undefined || (field.anyOf?.some(isReference) ?? false));

async function ownersOf(flag: string, entry: Entry): Promise<string[]> {
  const commands = await loadCommands(entry);
  const owners = commands.filter(({ options = [] }) =>
    options.some(({ flags }) => flags.match(/--[\w-]+/g)?.includes(flag)),
  );
  return owners.map((command) => ['mar', ...wordsOf(entry, command)].join(' '));
}
