import { type Endpoint, endpoints, type RecordName, type Resource } from './endpoints.ts';

/** A kind of record, as people ask for it. */
export interface ResourceEntry {
  /** As the command that works with it is called. */
  name: string;
  resource: Resource;
  aliases?: readonly string[];
  /**
   * The schema of what people write files for. Of a work request that is the form in which its
   * references may be ids: what the service answers fits it as well.
   */
  schema: RecordName;
}

/** Every kind of record there is a schema for. */
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

/** By its name, its plural or what the service calls it, in whatever case. */
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
