import { type Endpoint, endpoints, type SchemaName } from '../core/api/endpoints.ts';
import shapes from '../core/api/shapes.json' with { type: 'json' };
import type { Command, LoadedCommand } from '../core/commands/command.ts';
import { globalOptions, helpTopics } from '../core/commands/globals.ts';
import { type Hints, type MarError, runHint, usageError } from '../core/errors.ts';
import { words } from '../core/values/commandLine.ts';
import { nearest } from '../core/values/nearest.ts';
import { type NounEntry, table } from './table.ts';

/* Answers to commands that do not exist but are reasonable guesses. Loaded only for an unknown word. */

type Answer = readonly [fact: string, hint: Hints];

const noDownload = 'the API has no request that downloads a file';
const saveSubtitles: Answer = [
  noDownload,
  runHint('To save the subtitles', words`mar translation export ID -O FILE.srt`),
];
const noUpload: Answer = [
  'the API has no request that uploads content',
  runHint('To submit the metadata of a file', words`mar file upload-meta PATH --asset ID`),
];

const correctLines = runHint(
  'Correct the lines of the work request in the web application. To open it',
  words`mar wr open ID`,
);

const onlyInList = (noun: string, fact: string): Answer => [
  `the service ${fact}`,
  runHint(
    'To find one in the list',
    words`mar ${noun} list --all --jq ${{ placeholder: `'select(._id == "ID")'` }}`,
  ),
];

/** By the words that people try, which have the same reason. */
type Reasons = Readonly<Record<string, Answer>>;

const reasonsByNoun: Readonly<Record<string, Reasons>> = {
  wr: {
    'list ls search find': [
      'the service cannot list or search work requests',
      [
        { text: 'It returns a work request by its id only:', command: words`mar wr get ID` },
        runHint('To see those that need your attention', words`mar today`),
      ],
    ],
    'update edit put set': [
      'the service cannot change a work request',
      runHint(
        'mar wr create would create a second one. To open its page in the web application',
        words`mar wr open ID`,
      ),
    ],
    'delete remove rm cancel': [
      'the service cannot delete a work request',
      runHint('To open its page in the web application', words`mar wr open ID`),
    ],
    download: saveSubtitles,
    board: [
      'it is part of mar today',
      runHint('To see all that you follow', words`mar today --all`),
    ],
  },
  asset: {
    'list ls search find': [
      'the service cannot list or search assets',
      [
        runHint('If you have the id', words`mar asset get ID`),
        runHint('To search the lists that name assets', words`mar find WORDS --kind asset`),
      ],
    ],
  },
  translation: {
    'get show list': [
      'the service returns translations only as part of their work request',
      runHint('To print the subtitles', words`mar translation export WORK_REQUEST_ID`),
    ],
    'update edit put': [
      'the service cannot change a translation, and does not accept lines',
      correctLines,
    ],
    'upload import': ['the API does not accept lines', correctLines],
    download: saveSubtitles,
  },
  file: {
    'get show': onlyInList('file', 'cannot return a single file'),
    create: noUpload,
    'update edit put': [
      'the service cannot change a file',
      runHint('To list files', words`mar file list`),
    ],
  },
  preview: {
    'get show list': [
      'the service returns previews only as part of their asset',
      runHint('To show the asset', words`mar asset get ID`),
    ],
  },
  offline: {
    'get show list': [
      'the service returns offline files only as part of their work request',
      runHint('To show the work request', words`mar wr get ID --json`),
    ],
  },
  downloads: {
    'get show': onlyInList('downloads', 'cannot return a single download'),
    download: [noDownload, runHint('To list what was downloaded', words`mar downloads list`)],
  },
  notification: {
    'list ls search find': [
      'the service cannot list notifications',
      [
        {
          text: 'It returns a notification by its id only:',
          command: words`mar notification show ID`,
        },
      ],
    ],
    'create new add': [
      'the service cannot create a notification',
      runHint('It notifies users about events. To write an event', words`mar event put -f FILE`),
    ],
    'update edit put': [
      'the service cannot change a notification',
      runHint('To show it', words`mar notification show ID`),
    ],
  },
  event: {
    'get show list': [
      'the service returns events only as part of their notifications',
      runHint('To show a notification', words`mar notification show ID`),
    ],
  },
  user: { 'get show': onlyInList('user', 'cannot look up one user by id') },
  batch: {
    'create run start resume': [
      'the command of the records starts and resumes a batch',
      runHint('For example', words`mar wr create --batch FILE`),
    ],
  },
};

const generalReasons = ({ name, verbs }: NounEntry): Reasons => ({
  'delete remove rm': [
    'the service cannot delete records',
    runHint('To see what you can do', words`mar ${name} --help`),
  ],
  upload: noUpload,
  download: [
    noDownload,
    runHint('To see where files are stored', words`mar file list --columns name,path`),
  ],
  ...(verbs.put && {
    'create new add': [
      'the API does not say how to create such a record',
      {
        text: 'To write a record whose id you know, see:',
        command: words`mar ${name} put --help`,
      },
    ],
  }),
});

const lookUp = <Value>(word: string, rows: Readonly<Record<string, Value>>) =>
  Object.entries(rows).find(([words]) => words.split(' ').includes(word))?.[1];

function reasonFor(noun: NounEntry, word: string): Answer | undefined {
  const own = reasonsByNoun[noun.name] ?? {};
  const isOfService = noun.name in reasonsByNoun && noun.name !== 'batch';
  return lookUp(word, own) ?? lookUp(word, isOfService ? generalReasons(noun) : {});
}

/** Kinds of records that the service has no requests for, and where to see them. */
const withoutRequests = {
  projects: runHint('To search the projects in downloads', words`mar find WORDS --kind project`),
  studios: runHint('To see the ids of studios', words`mar file list --columns name,studio`),
  groups: runHint('To see the groups of users', words`mar user list --all --jq ${'.groups[]'}`),
  territories: runHint('To see those of users', words`mar user list --jq .territory`),
};
const noRequests = (kind: keyof typeof withoutRequests): Answer => [
  `the service has no requests for ${kind}`,
  withoutRequests[kind],
];

const firstWords: Reasons = {
  'project projects': noRequests('projects'),
  'studio studios': noRequests('studios'),
  'group groups': noRequests('groups'),
  'territory territories': noRequests('territories'),
  'delete remove rm': [
    'the service cannot delete records',
    runHint('To see what it can do', words`mar schema`),
  ],
  upload: noUpload,
  'status ping health': [
    'the API has no request for the status of the service',
    runHint('To check the service and your login', words`mar doctor`),
  ],
  upgrade: ['mar does not update itself', 'Install the new version the way you installed mar.'],
};

/** `mar list`: the verb exists, but it comes second. */
function startWithNoun(word: string): Answer | undefined {
  const nouns = table.filter(({ verbs = {} }) => Object.hasOwn(verbs, word));
  const [first] = nouns;
  if (!first) return undefined;
  const names = nouns.map(({ name }) => name).join(', ');
  return [
    `a command starts with the kind of record (${names})`,
    { text: 'For example:', command: words`mar ${first.name} ${word}` },
  ];
}

const flagHints: Readonly<Record<string, Hints>> = {
  '--token': runHint('Set MAR_TOKEN. To store the token instead', words`mar login --token-stdin`),
  '--password': 'mar login asks for the password, or reads it with --password-stdin.',
  '--insecure --no-verify': 'To trust a certificate, use --ca-cert FILE.',
};

/** `mar help X` may also name a topic. */
export function unknownCommand(word: string, isHelp: boolean): MarError {
  const message = `unknown command "${word}"`;
  const refuse = (hint: Hints, suggestion?: string) =>
    usageError(message, hint, { value: word, suggestion });
  if (/^https?:/i.test(word)) {
    return refuse(runHint('To show the work request of an address', words`mar wr get ADDRESS`));
  }
  const found = lookUp(word, firstWords) ?? startWithNoun(word);
  if (found) return usageError(`${message}: ${found[0]}`, found[1], { value: word });
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
  const { name } = noun;
  const refuse = (hint: Hints, fact?: string, suggestion?: string) => {
    const message = `unknown command "${name} ${word}"`;
    return usageError(fact ? `${message}: ${fact}` : message, hint, { value: word, suggestion });
  };
  const known = Object.keys(noun.verbs);
  const reason = reasonFor(noun, word);
  if (reason) return refuse(reason[1], reason[0]);
  const meant = nearest(word, known);
  if (meant !== undefined) return refuse(`Did you mean mar ${name} ${meant}?`, undefined, meant);
  const isId = /\d/.test(word);
  // `mar download ID`: the noun has this alias.
  const notDownloaded = isId && name === 'downloads' && reasonFor(noun, 'download');
  if (notDownloaded) return refuse(notDownloaded[1], notDownloaded[0]);
  const read = known.find((verb) => verb === 'get' || verb === 'show');
  if (read && isId) {
    return refuse(runHint('To show it', words`mar ${name} ${read} ${word}`));
  }
  const list = `The commands are ${known.join(', ')}.`;
  return refuse(runHint(`${list} For more`, words`mar ${name} --help`));
}

interface UnknownFlagFacts {
  /** That of the command. */
  path: string;
  command?: Command;
  /** Loads all commands. */
  commands(): Promise<readonly LoadedCommand[]>;
}

export async function unknownFlag(word: string, { path, command, commands }: UnknownFlagFacts) {
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
    return refuse(`To set this field, use --set ${edit}.`);
  }
  if (command?.arguments?.[0]?.name === 'id' && name === path.split(' ')[0]) {
    return refuse({ text: 'Give the id without a flag:', command: [...own, ...words`ID`] });
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
  const owners = (await commands()).flatMap(({ words, options: own = [] }) => {
    const names = own.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? []);
    return names.includes(flag) ? ['mar', ...words].join(' ') : [];
  });
  if (owners.length === 0 || owners.length > 6) return refuse(helpHint);
  return refuse([`It is a flag of ${owners.join(', ')}.`, helpHint]);
}

type FieldShape = 's' | { fields?: { _id?: 's' }; anyOf?: FieldShape[] };

const fieldsOf = (schema: SchemaName) =>
  new Map<string, FieldShape>(Object.entries(JSON.parse(shapes[schema]).fields ?? {}));

/** True for an embedded record, which is written as `{"_id": …}`. */
const isReference = (field: FieldShape): boolean =>
  field !== 's' && (field.fields?._id !== undefined || (field.anyOf?.some(isReference) ?? false));
