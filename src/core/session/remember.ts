import { type Resource, resources } from '../api/endpoints.ts';
import { isDifferentRecord } from '../client/response.ts';
import type { Entry } from '../config/memory.ts';
import { isFromEnvironment } from '../credentials/identity.ts';
import { type Hints, orUndefined, runHint } from '../errors.ts';
import { textAt, valueAt } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { seenKind, type ValueName, valuesOf } from '../records/knownValues.ts';
import { words } from '../values/commandLine.ts';
import { sanitise } from '../values/sanitise.ts';
import { type KnownUnit, unitOf } from '../values/time.ts';
import type { Session } from './session.ts';

const namePaths = ['name', 'title', 'label', 'asset.name', 'project.name', 'file.name', 'type'];
/** Fields that tell records of the same name apart. */
const variantPaths = ['language', 'territory'];
const maxNameLength = 80;
const maxRecent = 300;

/** Stores ids for Tab and `find`: the given ones, or those of the records. And what the records show. */
export async function remember(
  session: Session,
  resource: Resource,
  used: readonly { id?: string; record: ServiceRecord }[],
  { isShown = session.isOnScreen } = {},
): Promise<void> {
  const named = used.flatMap(({ record, id = valueAt(record.value, '_id') }) =>
    typeof id === 'string' && !isDifferentRecord(record.value, id)
      ? [{ kind: resource, id, text: shortName(record.value) }]
      : [],
  );
  const records = used.map(({ record }) => record.value);
  await learnUnit(session, records[0]);
  await session.memory.add(named.filter(isUsable));
  if (resource === 'WorkRequest') {
    const { lookOf } = await import('../records/look.ts');
    const { date } = session.clock;
    // `today` compares them later with what a person saw.
    const kinds = isShown ? ['Look', 'Mark'] : ['Look'];
    const looks = records.flatMap((record) => {
      const text = JSON.stringify(lookOf(record, date, session.service()));
      return kinds.map((kind) => ({ kind, id: textAt(record, '_id'), text }));
    });
    await session.memory.add(looks.filter(isUsable));
  }
  await learnValues(session, resource, records);
  await learnHosts(session, records);
  const pages = records.map((record) => textAt(record, 'urls.view'));
  // The address in an event has the id of its work request.
  const id = pages.find((address) => address.includes(':workRequest'));
  if (id && id !== pageTemplate(session)) await session.memory.add([{ kind: 'Page', id }]);
}

/** The address of the page of a work request, with a placeholder for its id. */
export const pageTemplate = (session: Session): string | undefined =>
  session.memory.entries('Page')[0]?.id;

const maxValueLength = 60;
const maxSeenValues = 100;

/** Remembers statuses, territories and the like, which Tab offers and tables may use. */
export async function learnValues(
  session: Session,
  resource: Resource,
  records: readonly unknown[],
): Promise<void> {
  if (session.memory.isDisabled) return;
  const values = records.flatMap((record) => valuesOf(resource, record));
  if (values.length === 0) return;
  const kinds = new Set(values.map(([name]) => seenKind(name)));
  const known = new Map([...kinds].map((kind) => [kind, new Set<string>()]));
  for (const { kind, id } of session.memory.entries(...kinds)) known.get(kind)?.add(id);
  const added: Pick<Entry, 'kind' | 'id'>[] = [];
  for (const [name, value] of values) {
    const kind = seenKind(name);
    const seen = known.get(kind) as Set<string>;
    const isUsual = value.length <= maxValueLength && sanitise(value) === value;
    if (!isUsual || seen.has(value) || seen.size >= maxSeenValues) continue;
    seen.add(value);
    added.push({ kind, id: value });
  }
  await session.memory.add(added);
}

/** Undefined without an account: a record may be checked before. */
const shownUnit = (session: Session) =>
  orUndefined(() => session.memory.entries('TimeUnit')[0]?.id as KnownUnit | undefined);

/** Remembers the unit of a time that the service made itself: others may be those that mar sent. */
export async function learnUnit(session: Session, record: unknown): Promise<void> {
  const id = unitOf(valueAt(record, 'created'));
  if (id && id !== shownUnit(session)) await session.memory.add([{ kind: 'TimeUnit', id }]);
}

/** The unit of times that are sent: the one that is set, the one that records showed, or an assumed one. */
export function sentUnit(session: Session): { unit: KnownUnit; isAssumed: boolean } {
  const timeUnit = session.timeUnit();
  const known = timeUnit === 'auto' ? shownUnit(session) : timeUnit;
  const { value, basis } = session.service().fact('time', 'sent') ?? {};
  return { unit: known ?? (value as KnownUnit), isAssumed: !known && basis === 'assumed' };
}

/** The values of this name that records of this service had. */
export const seenValues = (session: Session, name: ValueName): string[] =>
  session.memory.entries(seenKind(name)).map(({ id }) => id);

/** The ids that were used at this service, from the most recent to the oldest. */
export function recentIds(session: Session, resource?: Resource): Entry[] {
  const kinds = resource === undefined ? resources.map((one) => one.resource) : [resource];
  const used = session.memory.entries(...kinds).filter(isUsable);
  return used.slice(0, maxRecent);
}

/**
 * The hosts of the service: its own, and those that its records link to, such as that of its web
 * application. An address at any other host may be of another service with the same ids.
 */
export const knownHosts = (session: Session): ReadonlySet<string> =>
  new Set([session.identity().baseUrl.host, ...session.memory.entries('Host').map(({ id }) => id)]);

async function learnHosts(session: Session, records: readonly unknown[]) {
  const objects = records.flatMap((record) => [valueAt(record, 'urls'), valueAt(record, '$links')]);
  // Values of `$links` have no scheme.
  const urls = objects
    .flatMap((links) => Object.values(links ?? {}))
    .map((address) => String(address).replace(/^\/\//, 'https://'))
    .filter((url) => /^https?:/.test(url) && URL.canParse(url));
  const linked = new Set(urls.map((url) => new URL(url).host));
  linked.delete(session.identity().baseUrl.host);
  if (linked.size === 0) return;
  const known = knownHosts(session);
  const fresh = [...linked].filter((host) => !known.has(host));
  await session.memory.add(fresh.map((id) => ({ kind: 'Host', id })));
}

/** Why there are no recent ids. */
export function nothingUsedNote(session: Session): Hints {
  if (isFromEnvironment(session.identity().source)) {
    return 'mar remembers nothing while the token comes from the environment';
  }
  return session.settings.rememberIds === 'off'
    ? runHint(
        'mar does not remember what you use, because remember-ids is off. To change that',
        words`mar config set remember-ids on`,
      )
    : 'You have used no work requests at this service yet';
}

/** Leaves out ids that look like a flag, and those with control characters. */
const isUsable = ({ id }: Pick<Entry, 'id'>) =>
  id !== '' && !id.startsWith('-') && sanitise(id) === id;

function shortName(record: unknown): string {
  const safeText = (path: string) => sanitise(textAt(record, path)).trim();
  const name = namePaths.map(safeText).find(Boolean);
  const parts = [name, ...variantPaths.map(safeText)].filter(Boolean);
  return [...parts.join(', ')].slice(0, maxNameLength).join('');
}
