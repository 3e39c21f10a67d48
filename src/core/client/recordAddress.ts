import { findResource, type Resource, resourceNoun } from '../api/endpoints.ts';
import { orUndefined, usageError } from '../errors.ts';

/** Words behind the id in the web application's addresses, such as `…/wr-2001/manage`. */
const pageName = /^(?:view|manage|invite|translate|edit|details)$/i;

/**
 * Reads an id as people have it: bare, with spaces around it, as the record's web address, or as a
 * value of `$links`. If the address names another kind of record than the wanted one, it is refused.
 * A bare id has no host; the web application may have another one than the service.
 */
export function readRecordAddress(
  text: string,
  wanted: Resource | undefined,
): { id: string; host?: string } {
  const trimmed = text.trim();
  if (!/^(?:https?:)?\/\//i.test(trimmed)) return { id: trimmed };
  const address = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed;
  if (!URL.canParse(address)) {
    throw usageError(`${JSON.stringify(trimmed)} is not a valid address`, { value: trimmed });
  }
  const { host, pathname } = new URL(address);
  const steps = stepsOf(pathname);
  const apiAt = steps.indexOf('api');
  if (apiAt >= 0) {
    const [collection = '', ...rest] = steps.slice(apiAt + 1);
    if (rest.length === 0) throw noId(trimmed);
    checkKind(trimmed, collection, wanted);
    return { id: rest.join('/'), host };
  }
  return { id: idOnPage(steps, trimmed, wanted), host };
}

const stepsOf = (path: string): string[] => path.split('/').filter(Boolean).map(decoded);

const noId = (address: string) => usageError(`the address ${address} contains no id`);

/** The step after the name of a collection: `/projects/p-1/assets/a-1001/edit`. */
function idOnPage(steps: readonly string[], address: string, wanted: Resource | undefined): string {
  const named = steps.flatMap((collection, at) => {
    const id = steps[at + 1];
    const resource = resourceOf(collection);
    return id !== undefined && resource ? [{ id, resource, collection }] : [];
  });
  const match = named.findLast(({ resource }) => wanted === undefined || resource === wanted);
  if (match) return match.id;
  const other = named.at(-1);
  if (other) checkKind(address, other.collection, wanted);
  const id = steps.findLast((step) => !pageName.test(step));
  if (id === undefined || resourceOf(id)) throw noId(address);
  return id;
}

/** Users are at `/session`. */
function resourceOf(collection: string): Resource | undefined {
  const resource = findResource(collection)?.resource;
  return resource === 'Session' ? 'User' : resource;
}

function checkKind(address: string, collection: string, wanted: Resource | undefined): void {
  const found = resourceOf(collection);
  if (wanted === undefined || found === wanted) return;
  const kind = found ? resourceNoun(found) : collection;
  throw usageError(
    `the address ${address} is of another kind of record: ${kind}, not ${resourceNoun(wanted)}`,
  );
}

const decoded = (step: string): string => orUndefined(() => decodeURIComponent(step)) ?? step;
