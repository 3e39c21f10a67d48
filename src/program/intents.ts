import { type Endpoint, endpoints, type SchemaName } from '../core/api/endpoints.ts';
import shapes from '../core/api/shapes.json' with { type: 'json' };
import type { Command } from '../core/commands/command.ts';
import { globalOptions } from '../core/commands/globals.ts';
import { type Hint, type Hints, type MarError, runHint, usageError } from '../core/errors.ts';
import { words } from '../core/values/commandLine.ts';
import { nearest } from '../core/values/nearest.ts';
import { helpTopics, type NounEntry, table } from './table.ts';

/* Answers to commands that do not exist but are reasonable guesses. Loaded only for an unknown word. */

type Answer = readonly [fact: string, ...hints: Hint[]];

const findOne = (noun: string) =>
  runHint(
    'To find one in the list',
    words`mar ${noun} list --all --jq ${{ placeholder: `'select(._id == "ID")'` }}`,
  );
const openPage = runHint('To change it in the web application', words`mar wr open ID`);

/** The kind of record of a noun, and the commands that come closest to what the service cannot do. */
const nouns: Readonly<Record<string, readonly [kind: string, ...closest: Hint[]]>> = {
  wr: [
    'work request',
    runHint('To show one whose id you know', words`mar wr get ID`),
    openPage,
    runHint('To see those that need your attention', words`mar today`),
  ],
  asset: [
    'asset',
    runHint('To show one whose id you know', words`mar asset get ID`),
    runHint('To search the lists that name assets', words`mar find WORDS --kind asset`),
  ],
  translation: [
    'translation',
    runHint(
      'It is part of its work request. To print the subtitles',
      words`mar translation export WORK_REQUEST_ID`,
    ),
    openPage,
  ],
  file: [
    'file',
    findOne('file'),
    runHint('To submit the metadata of a file', words`mar file upload-meta PATH --asset ID`),
  ],
  preview: ['preview', runHint('It is part of its asset. To show that', words`mar asset get ID`)],
  offline: [
    'offline file',
    runHint('It is part of its work request. To show that', words`mar wr get ID --json`),
  ],
  downloads: ['download', runHint('To list what was downloaded', words`mar downloads list`)],
  notification: [
    'notification',
    runHint('To show one whose id you know', words`mar notification show ID`),
    runHint('The service notifies users about events. To write one', words`mar event put -f FILE`),
  ],
  event: [
    'event',
    runHint('It is part of its notifications. To show one', words`mar notification show ID`),
  ],
  user: ['user', findOne('user')],
};

/** The words that people try for something, the commands that do it, and the fact if there are none. */
const actions: readonly (readonly [
  guesses: string,
  verbs: string,
  fact: (kind: string) => string,
])[] = [
  ['list search find', 'list', (kind) => `the service cannot list or search ${kind}s`],
  ['get show', 'get show', (kind) => `the service cannot return a single ${kind}`],
  ['create', 'create submit upload-meta', (kind) => `the service cannot create ${kind}s`],
  ['update edit put', 'put', (kind) => `the service cannot change ${kind}s`],
  ['delete remove cancel', '', (kind) => `the service cannot delete or cancel ${kind}s`],
  ['upload import', '', () => 'the API has no request that uploads content'],
  ['download', '', () => 'the API has no request that downloads a file'],
];

function reasonFor({ name, verbs }: NounEntry, word: string): Answer | undefined {
  const [kind, ...closest] = nouns[name] ?? [];
  const action = actions.find(([guesses]) => guesses.split(' ').includes(word));
  if (!kind || !action) return undefined;
  const [, own, fact] = action;
  if (own.split(' ').some((verb) => Object.hasOwn(verbs, verb))) return undefined;
  if (word !== 'create' || !verbs.put) return [fact(kind), ...closest];
  return [
    'the API does not say how to create such a record',
    { text: 'To write a record whose id you know, see:', command: words`mar ${name} put --help` },
  ];
}

/** Kinds of records that the service has no requests for, and where to see them. */
const withoutRequests = new Map([
  ['project', runHint('To search the projects in downloads', words`mar find WORDS --kind project`)],
  ['studio', runHint('To see the ids of studios', words`mar file list --columns name,studio`)],
  ['group', runHint('To see the groups of users', words`mar user list --all --jq ${'.groups[]'}`)],
]);

function answerFor(word: string): Answer | undefined {
  if (/^orders?$/.test(word)) {
    return [
      'an order is a work request',
      runHint('To see how to create one', words`mar wr create --help`),
    ];
  }
  if (/^(?:lost|stolen|revoke)$/.test(word)) {
    return [
      'mar cannot end the login of another machine: regenerate the credentials in the account settings of the service',
      runHint('To log in again afterwards', words`mar login`),
      runHint('To try it in the sandbox', words`mar sandbox set u-ines password=new`),
    ];
  }
  const kind = word.replace(/s$/, '');
  const elsewhere = withoutRequests.get(kind);
  return elsewhere && [`the service has no requests for ${kind}s`, elsewhere];
}

const flagHints: Readonly<Record<string, Hints>> = {
  '--token': runHint('Set MAR_TOKEN. To store the token instead', words`mar login --token-stdin`),
  '--password': 'mar login asks for the password, or reads it with --password-stdin.',
};

/** `mar help X` may also name a topic. */
export function unknownCommand(word: string, isHelp: boolean): MarError {
  const message = `unknown command "${word}"`;
  const refuse = (hint: Hints, suggestion?: string) =>
    usageError(message, hint, { value: word, suggestion });
  if (/^https?:/i.test(word)) {
    return refuse(runHint('To show the work request of an address', words`mar wr get ADDRESS`));
  }
  const [fact, ...hints] = answerFor(word) ?? [];
  if (fact) return usageError(`${message}: ${fact}`, hints, { value: word });
  const entries = new Map(
    table.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((word) => [word, name])),
  );
  const meant = nearest(word, [...entries.keys(), ...Object.keys(helpTopics)]);
  if (meant === undefined) return refuse(runHint('To see all commands', words`mar --help`));
  const name = entries.get(meant) ?? meant;
  const isTopic = isHelp || !entries.has(meant);
  return refuse(`Did you mean mar ${isTopic ? 'help ' : ''}${name}?`, name);
}

export function unknownVerb(noun: NounEntry, word: string): MarError {
  const { name, verbs, details } = noun;
  const message = `unknown command "${name} ${word}"`;
  const refuse = (hint: Hints, suggestion?: string) =>
    usageError(message, hint, { value: word, suggestion });
  const isId = /\d/.test(word);
  const [fact, ...hints] = reasonFor(noun, isId ? 'get' : word) ?? [];
  if (fact) return usageError(`${message}: ${fact}`, hints, { value: word });
  const known = Object.keys(verbs);
  const meant = nearest(word, known);
  if (meant !== undefined) return refuse(`Did you mean mar ${name} ${meant}?`, meant);
  const read = known.find((verb) => verb === 'get' || verb === 'show');
  if (read && isId) return refuse(runHint('To show it', words`mar ${name} ${read} ${word}`));
  const list = `The commands are ${known.join(', ')}.`;
  return refuse([details ?? [], runHint(`${list} For more`, words`mar ${name} --help`)].flat());
}

export function unknownFlag(word: string, path: string, command: Command | undefined) {
  const [flag = '', value] = word.split(/=(.*)/s);
  const options = [...(command?.options ?? []), ...globalOptions];
  const known = options.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? []);
  const own = ['mar', ...path.split(' ').filter(Boolean)];
  const line = own.join(' ');
  if (known.includes(flag)) {
    const isSwitch = options.some(({ flags }) => flags.endsWith(flag));
    return value !== undefined && isSwitch
      ? usageError(`${flag} takes no value`, `Write ${flag} alone.`, { flag, value })
      : usageError(
          `${flag} stands before its command`,
          { text: 'Write:', command: [...own, flag] },
          { flag },
        );
  }
  const message = `unknown flag ${flag} for ${line}`;
  const refuse = (hint: Hints, suggestion?: string) =>
    usageError(message, hint, { flag, suggestion });
  const helpHint = runHint(`To see the flags of ${line}`, [...own, '--help']);
  const name = flag.replace(/^--/, '');
  if (name === flag) return refuse(helpHint);
  const endpoint: Endpoint | undefined = command?.endpoint && endpoints[command.endpoint];
  const written = endpoint?.body && known.includes('--set') && fieldsOf(endpoint.body).get(name);
  if (written) {
    const edit = isReference(written) ? `${name}._id=ID` : `${name}=VALUE`;
    return refuse(`To set this field, use --set ${edit}`);
  }
  const meant = nearest(
    name,
    known.map((one) => one.replace(/^--/, '')).filter((one) => one.length > 2),
  );
  if (meant !== undefined) return refuse(`Did you mean --${meant}?`, `--${meant}`);
  const hint = flagHints[flag];
  if (hint) return refuse(hint);
  return refuse(helpHint);
}

type FieldShape = 's' | { fields?: { _id?: 's' }; anyOf?: FieldShape[] };

const fieldsOf = (schema: SchemaName) =>
  new Map<string, FieldShape>(Object.entries(JSON.parse(shapes[schema]).fields ?? {}));

/** True for an embedded record, which is written as `{"_id": …}`. */
const isReference = (field: FieldShape): boolean =>
  field !== 's' && (field.fields?._id !== undefined || (field.anyOf?.some(isReference) ?? false));
