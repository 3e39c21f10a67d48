import { printJson } from '../../json/print.ts';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';

/** What is an embedded record in a work request, and an id in the work request of an event. */
const references = ['project', 'asset', 'from', 'translation', 'graphicsTranslation'];
const projectFields = ['_id', 'name', 'slug'];

/** The fields of an event that come from the work request it is about. */
export function workRequestInEvent(request: JsonObject, id: string): JsonObject {
  const fields: JsonObject = new Map([['workRequest', embedded(request)]]);
  const project = request.get('project');
  if (isObject(project)) fields.set('projects', [only(project, projectFields)]);
  const asset = idOf(request.get('asset'));
  if (asset !== undefined) fields.set('assets', [asset]);
  const urls = request.get('urls');
  if (isObject(urls)) fields.set('urls', filled(urls, id));
  return fields;
}

/** The work request as an event carries it: references are ids, recipients a list. */
function embedded(request: JsonObject): JsonObject {
  const record = new Map(request);
  for (const field of references) {
    const id = idOf(record.get(field));
    if (id !== undefined) record.set(field, id);
  }
  const recipients = record.get('recipients');
  if (isObject(recipients)) record.set('recipients', everyRecipient(recipients));
  return record;
}

function idOf(reference: Json | undefined): Json | undefined {
  return isObject(reference) ? reference.get('_id') : reference;
}

/** Each once, whatever is delivered to them. */
function everyRecipient(recipients: JsonObject): Json[] {
  const all = [...recipients.values()].flatMap((some) => (Array.isArray(some) ? some : []));
  return [...new Map(all.map((one) => [printJson(one), one])).values()];
}

const only = (record: JsonObject, fields: readonly string[]): JsonObject =>
  new Map([...record].filter(([field]) => fields.includes(field)));

/** The pages with the work request filled in; a code is not known, and stays. */
function filled(urls: JsonObject, id: string): JsonObject {
  const fill = (url: Json) =>
    typeof url === 'string' ? url.replace(/:workRequest\b/g, () => encodeURIComponent(id)) : url;
  return new Map([...urls].map(([page, url]) => [page, fill(url)]));
}
