export type SchemaName =
  | 'asset'
  | 'download'
  | 'event'
  | 'file'
  | 'notification'
  | 'offline'
  | 'preview'
  | 'session'
  | 'signOut'
  | 'translation'
  | 'user'
  | 'workRequest'
  | 'workRequestDraft';

/** The response to signing out is not documented, so it is no record. */
export type RecordName = Exclude<SchemaName, 'signOut'>;

export type Resource = Capitalize<Exclude<RecordName, 'workRequestDraft'>>;

/** `WorkRequest` as `work request`, for messages. */
export const resourceNoun = (name: string): string => name.replace(/\B[A-Z]/g, ' $&').toLowerCase();

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
  /** For a write: the command that shows whether it was done, with a `{field}` of the record. */
  readonly checkWith?: string;
}

/** The whole service: the client, the sandbox and the contract tests are made from this table. */
export const endpoints = {
  sessionCreate: {
    method: 'GET',
    path: '/session',
    summary: 'Log in: exchange an e-mail address and a password for a token',
    resource: 'Session',
    auth: 'password',
    response: 'session',
  },
  sessionDelete: {
    method: 'DELETE',
    path: '/session',
    summary: 'Log out and revoke the token',
    resource: 'Session',
    response: 'signOut',
    checkWith: 'mar whoami --check',
  },
  userList: {
    method: 'GET',
    path: '/session',
    summary: 'List users',
    resource: 'User',
    range: true,
    response: 'user',
  },
  userPut: {
    method: 'PUT',
    path: '/session/{id}',
    summary: 'Write a user',
    resource: 'User',
    body: 'user',
    response: 'user',
    checkWith: 'mar user list --all',
  },
  assetGet: {
    method: 'GET',
    path: '/assets/{id}',
    summary: 'Read an asset',
    resource: 'Asset',
    response: 'asset',
  },
  assetPut: {
    method: 'PUT',
    path: '/assets',
    summary: 'Write an asset',
    resource: 'Asset',
    body: 'asset',
    response: 'asset',
    checkWith: 'mar asset get {_id}',
  },
  assetWorkflowNotify: {
    method: 'GET',
    path: '/assets/workflowNotify',
    summary: 'List the assets of the workflow notification',
    resource: 'Asset',
    range: true,
    response: 'asset',
  },
  workRequestGet: {
    method: 'GET',
    path: '/workrequests/{id}',
    summary: 'Read a work request',
    resource: 'WorkRequest',
    response: 'workRequest',
  },
  workRequestCreate: {
    method: 'POST',
    path: '/workrequests',
    summary: 'Create a work request',
    resource: 'WorkRequest',
    body: 'workRequestDraft',
    response: 'workRequest',
    checkWith: 'the service cannot list work requests: check in the web application',
  },
  translationCreate: {
    method: 'POST',
    path: '/translations',
    summary: 'Submit a translation',
    resource: 'Translation',
    body: 'translation',
    response: 'translation',
    checkWith: 'mar wr get {workRequest}',
  },
  offlinePut: {
    method: 'PUT',
    path: '/offlines/{id}',
    summary: 'Write an offline file of a work request',
    resource: 'Offline',
    body: 'offline',
    response: 'offline',
    checkWith: 'mar wr get {workRequest}',
  },
  previewPut: {
    method: 'PUT',
    path: '/previews',
    summary: 'Write a preview',
    resource: 'Preview',
    body: 'preview',
    response: 'preview',
    checkWith: 'mar asset get {asset}',
  },
  fileCreate: {
    method: 'POST',
    path: '/files',
    summary: "Submit a file's metadata",
    resource: 'File',
    body: 'file',
    response: 'file',
    checkWith: 'mar file list --all',
  },
  fileList: {
    method: 'GET',
    path: '/files/_slug',
    summary: 'List files',
    resource: 'File',
    range: true,
    response: 'file',
  },
  downloadList: {
    method: 'GET',
    path: '/downloads',
    summary: 'List downloads',
    resource: 'Download',
    range: true,
    query: ['q', 'studios', 'projects', 'types', 'user', 'created', 'type', 'order'],
    response: 'download',
  },
  notificationGet: {
    method: 'GET',
    path: '/notifications/{id}',
    summary: 'Read a notification',
    resource: 'Notification',
    response: 'notification',
  },
  eventPut: {
    method: 'PUT',
    path: '/events',
    summary: 'Write an event',
    resource: 'Event',
    body: 'event',
    response: 'event',
    checkWith: 'the service cannot return events: ask one of the notified users',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointId = keyof typeof endpoints;

export interface ResourceEntry {
  name: string;
  resource: Resource;
  aliases?: readonly string[];
  /** The schema for files that people write, in which a work request's references may also be ids. */
  schema: RecordName;
}

export const resources: readonly ResourceEntry[] = [
  { name: 'asset', resource: 'Asset', schema: 'asset' },
  {
    name: 'wr',
    resource: 'WorkRequest',
    aliases: ['work-request', 'work-requests'],
    schema: 'workRequestDraft',
  },
  { name: 'translation', resource: 'Translation', schema: 'translation' },
  { name: 'file', resource: 'File', schema: 'file' },
  { name: 'preview', resource: 'Preview', schema: 'preview' },
  { name: 'offline', resource: 'Offline', schema: 'offline' },
  { name: 'download', resource: 'Download', schema: 'download' },
  { name: 'notification', resource: 'Notification', schema: 'notification' },
  { name: 'event', resource: 'Event', schema: 'event' },
  { name: 'user', resource: 'User', schema: 'user' },
  { name: 'session', resource: 'Session', schema: 'session' },
];

/** Finds by name, plural, alias or the service's name, ignoring case. */
export function findResource(word: string): ResourceEntry | undefined {
  const wanted = word.toLowerCase();
  return resources.find(({ name, resource, aliases = [] }) =>
    [name, resource.toLowerCase(), ...aliases].some(
      (known) => known === wanted || `${known}s` === wanted,
    ),
  );
}

export const endpointsOf = (resource: Resource): Endpoint[] =>
  Object.values<Endpoint>(endpoints).filter((endpoint) => endpoint.resource === resource);

/** The documented statuses; there are others. */
export const knownStatuses = {
  workRequest: ['awaiting-materials', 'incomplete'],
  translation: ['incomplete', 'submitted'],
} as const;
