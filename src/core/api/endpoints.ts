/** The records of the service, in the order in which `mar schema` lists them. */
const recordNames = [
  'asset',
  'workRequest',
  'translation',
  'file',
  'preview',
  'offline',
  'download',
  'notification',
  'event',
  'user',
  'session',
] as const;

type Named = (typeof recordNames)[number];

/** A draft is a work request to send, in which references may also be ids. */
export type RecordName = Named | 'workRequestDraft';

/** The response to signing out is not documented, so it is no record. */
export type SchemaName = RecordName | 'signOut';

export type Resource = Capitalize<Named>;

/** `WorkRequest` as `work request`, for messages. */
export const resourceNoun = (name: string): string => name.replace(/\B[A-Z]/g, ' $&').toLowerCase();

type CheckWord = string | { readonly field: string };

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL; `{id}` stands for one path segment. */
  readonly path: string;
  readonly summary: string;
  readonly resource: Resource;
  /** The secret in the Authorization header, if it is not a token. */
  readonly auth?: 'password';
  /** Takes `X-Range` and returns an array of `response`. */
  readonly range?: true;
  /** The names of its query parameters, all optional strings. */
  readonly query?: readonly string[];
  readonly body?: SchemaName;
  /** For a list, the schema of one record. */
  readonly response: SchemaName;
  /** For a write: the command that shows whether it was done, with a field of the record. Or a sentence. */
  readonly checkWith?: readonly CheckWord[] | string;
  /** For a write of an existing record: the endpoint that reads it first, so that it can be compared. */
  readonly readBy?: 'assetGet' | 'userList';
  /** If its method says something else: see `repetitionOf`. */
  readonly repetition?: Repetition;
  /** The new record is put on the list of `today`. */
  readonly isTracked?: true;
}

/**
 * The effect of a request that is sent twice, in the words of RFC 9110. `safe`: nothing, because it only
 * reads, so it is sent again after a failure. `idempotent`: the same as once. `once`: it makes another
 * record, or notifies people again.
 */
type Repetition = 'safe' | 'idempotent' | 'once';

const repetitions: Readonly<Record<string, Repetition>> = {
  GET: 'safe',
  HEAD: 'safe',
  PUT: 'idempotent',
  DELETE: 'idempotent',
};

/** For an endpoint, or for a method that belongs to none. */
export const repetitionOf = (request: {
  readonly method: string;
  readonly repetition?: Repetition;
}): Repetition => request.repetition ?? repetitions[request.method] ?? 'once';

/** `workRequest` as `WorkRequest`. */
export const capitalised = <Text extends string>(text: Text) =>
  (text.slice(0, 1).toUpperCase() + text.slice(1)) as Capitalize<Text>;

const get = <Name extends Named>(path: string, name: Name, summary: string) =>
  ({ method: 'GET', path, summary, resource: capitalised(name), response: name }) as const;

const list = <Name extends Named>(path: string, name: Name, summary: string) =>
  ({ ...get(path, name, summary), range: true }) as const;

/** A write of a whole record, which the service returns. */
const put = <Name extends Named>(...[path, name, summary, checkWith]: WriteEntry<Name>) =>
  ({ ...get(path, name, summary), method: 'PUT', body: name, checkWith }) as const;
const post = <Name extends Named>(...entry: WriteEntry<Name>) =>
  ({ ...put(...entry), method: 'POST' }) as const;

type WriteEntry<Name> = [path: string, Name, summary: string, Endpoint['checkWith']];

const showAsset = (field: string) => ['mar', 'asset', 'get', { field }];
const showWorkRequest = ['mar', 'wr', 'get', { field: 'workRequest' }];

/** The whole service: the client, the sandbox and the contract tests are made from this table. */
export const endpoints = {
  sessionCreate: {
    ...get('/session', 'session', 'Log in: exchange an e-mail address and a password for a token'),
    auth: 'password',
  },
  sessionDelete: {
    ...get('/session', 'session', 'Log out and revoke the token'),
    method: 'DELETE',
    response: 'signOut',
    checkWith: ['mar', 'whoami', '--check'],
  },
  userList: list('/session', 'user', 'List users'),
  userPut: {
    ...put('/session/{id}', 'user', 'Write a user', ['mar', 'user', 'list', '--all']),
    readBy: 'userList',
  },
  assetGet: get('/assets/{id}', 'asset', 'Read an asset'),
  assetPut: {
    ...put('/assets', 'asset', 'Write an asset', showAsset('_id')),
    readBy: 'assetGet',
  },
  assetWorkflowNotify: list(
    '/assets/workflowNotify',
    'asset',
    'List the assets of the workflow notification',
  ),
  workRequestGet: get('/workrequests/{id}', 'workRequest', 'Read a work request'),
  workRequestCreate: {
    ...post(
      '/workrequests',
      'workRequest',
      'Create a work request',
      'The service cannot list work requests: check in the web application.',
    ),
    body: 'workRequestDraft',
    isTracked: true,
  },
  translationCreate: post('/translations', 'translation', 'Submit a translation', showWorkRequest),
  offlinePut: put(
    '/offlines/{id}',
    'offline',
    'Write an offline file of a work request',
    showWorkRequest,
  ),
  previewPut: put('/previews', 'preview', 'Write a preview', showAsset('asset')),
  fileCreate: post('/files', 'file', "Submit a file's metadata", ['mar', 'file', 'list', '--all']),
  fileList: list('/files/_slug', 'file', 'List files'),
  downloadList: {
    ...list('/downloads', 'download', 'List downloads'),
    query: ['q', 'studios', 'projects', 'types', 'user', 'created', 'type', 'order'],
  },
  notificationGet: get('/notifications/{id}', 'notification', 'Read a notification'),
  eventPut: {
    ...put(
      '/events',
      'event',
      'Write an event',
      'The service cannot return events: ask one of the notified users.',
    ),
    repetition: 'once',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointId = keyof typeof endpoints;

/** The schema of what an endpoint takes. The sandbox also changes records that the API can only read. */
export function bodyOf(endpoint: EndpointId): SchemaName {
  const { response, body = response }: Endpoint = endpoints[endpoint];
  return body;
}

export interface ResourceEntry {
  name: string;
  resource: Resource;
  /** The schema for files that people write. */
  schema: RecordName;
}

export const resources = recordNames.map((name): ResourceEntry => {
  const resource = capitalised(name);
  return name === 'workRequest'
    ? { name: 'wr', resource, schema: 'workRequestDraft' }
    : { name, resource, schema: name };
});

/** Finds by name, plural, `work-request` or the service's name, ignoring case. */
export function findResource(word: string): ResourceEntry | undefined {
  const wanted = word.toLowerCase().replace(/s$/, '');
  return resources.find(({ name, resource }) =>
    [name, resource.toLowerCase(), resourceNoun(resource).replace(' ', '-')].includes(wanted),
  );
}

export const endpointsOf = (resource: string): Endpoint[] =>
  Object.values<Endpoint>(endpoints).filter((endpoint) => endpoint.resource === resource);
