import { usageError } from '../../errors.ts';
import { type Input, option, readOption, stringOption } from '../../input.ts';
import { textAt, valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import type { Reporter } from '../../output/reporter.ts';
import { namedRecords } from '../../reads/candidates.ts';
import { allUsers } from '../../reads/knownUsers.ts';
import { readExtent } from '../../reads/listRecords.ts';
import { matching, type Named, nameAndId } from '../../reads/named.ts';
import { knownList, selectedPages } from '../../reads/select.ts';
import { isDayText, readDateText, readSince } from '../../records/dateText.ts';
import { safeText } from '../../records/look.ts';
import type { Context } from '../../session/context.ts';
import { seenValues } from '../../session/remember.ts';
import { folded } from '../../values/match.ts';
import { nearest } from '../../values/nearest.ts';
import { plural } from '../../values/numbers.ts';
import { downloadView } from './view.ts';

export const sinceOption = option(
  '--since <time>',
  'only downloads since then: 12h, 7d, 3mo, 2026-11-01, 1 Nov or monday',
);

/** The period to filter by on this side, if any. */
function readPeriod(input: Input, now: Date) {
  const since = readOption(input, 'since', (text) => readSince(text, now));
  const days = readOption(input, 'created', (text) => readDays(text.trim(), now));
  if (!since) return days;
  if (!days) return { from: since, before: undefined, flag: `--since ${input.options.since}` };
  const hint = 'Use one of them.';
  throw usageError('--since cannot be used with days in --created', hint, { flag: '--since' });
}

/** Days are in this machine's time zone, inclusive. Undefined for text that the service gets. */
function readDays(text: string, now: Date) {
  const [first = '', last = first, ...more] = text.split('..');
  const isDays = [first, last].every((day) => day === '' || isDayText(day));
  if (text === '' || more.length > 0 || !isDays) return undefined;
  const rules = { name: '--created', now, use: 'start' } as const;
  const startOf = (day: string) => new Date(readDateText(day, rules).instant);
  const [from, before] = [first, last].map((day) => (day === '' ? undefined : startOf(day)));
  before?.setDate(before.getDate() + 1);
  if (!from && !before) {
    const example = 'For example: --created 2026-11-01..2026-11-14';
    throw usageError('--created .. contains no day', example);
  }
  if (from && before && from >= before) {
    throw usageError(`--created ${text} ends before it starts`);
  }
  return { from, before, flag: `--created ${text}` };
}

/** A period is filtered here, because the service does not document its own filter. */
export async function* downloadPages(
  context: Context,
  given: Input,
  extent = readExtent(context, given),
): AsyncGenerator<ServiceRecord[]> {
  const input = await withIds(context, given);
  const period = readPeriod(input, context.world.now());
  const created = stringOption(input, 'created');
  // A value that is nearly a range of days is more likely a typo than a filter of the service.
  if (!period && created?.includes('..')) {
    context.reporter.warn(
      'unchanged-value',
      `--created ${created} is sent unchanged: it is not a range of days such as 2026-11-01..2026-11-14 or 2026-11-01..today`,
    );
  }
  const { from, before, flag: flags = '' } = period ?? {};
  const undated = leftOut(context.reporter);
  const isMatch = (value: unknown): boolean => {
    const date = context.session.clock.date(valueAt(value, 'created'));
    if (!date) undated.add(textAt(value, '_id'));
    return date !== undefined && (!from || date >= from) && (!before || date < before);
  };
  const filter = period && { isMatch, flags, noun: 'download' };
  const isOwn = flags.startsWith('--created');
  const sent = { ...input, options: { ...input.options, ...(isOwn && { created: undefined }) } };
  const invocation = { endpoint: 'downloadList', view: downloadView, input: sent } as const;
  const ignored = new Map<string, number>();
  try {
    for await (const page of selectedPages(context, invocation, filter, extent)) {
      for (const name of Object.keys(filters).filter((one) => input.options[one])) {
        const count = page.filter(({ value }) => contradicts(value, input, name)).length;
        if (count > 0) ignored.set(name, (ignored.get(name) ?? 0) + count);
      }
      yield page;
    }
  } finally {
    for (const [name, count] of ignored) {
      const rows = `${plural(count, 'row')} ${count === 1 ? 'does' : 'do'} not match`;
      context.reporter.warn('ignored-filter', `the service did not apply --${name}: ${rows}`);
    }
  }
  undated.warn('undated-download', 'without a readable time left out');
}

const maxNamed = 3;

/** Counts downloads, and warns of them with the first ids. */
export function leftOut(reporter: Reporter) {
  const ids = new Set<string>();
  let count = 0;
  return {
    add(id: string): void {
      count += 1;
      if (ids.size < maxNamed) ids.add(safeText(id));
    },
    warn(code: string, why: string): void {
      const message = `${plural(count, 'download')} ${why}: ${[...ids].join(', ')}`;
      if (count > 0) reporter.warn(code, message);
    },
  };
}

/** False if the row does not say: a name cannot be compared with an id. */
function contradicts(row: unknown, input: Input, filter: string): boolean {
  const words = (stringOption(input, filter) ?? '').split(',').map((one) => folded(one.trim()));
  const paths = filters[filter]?.fields ?? [];
  const texts = paths.map((path) => folded(textAt(row, path))).filter(Boolean);
  const isComparable = texts.length > 1 || [...texts, ...words].every((one) => !/[\s@]/.test(one));
  const isMatch = words.some((word) => texts.some((text) => text.includes(word)));
  return texts.length > 0 && isComparable && !isMatch;
}

/** The service filters by ids and types. People know names. */
interface NamedFilter {
  noun: string;
  /** Where a row has what it was filtered by. */
  fields: string[];
  /** The value may be several, with commas between them. */
  isList?: true;
  known(context: Context): Promise<readonly Named[]> | readonly Named[];
  /** True for a value that needs no look-up, which may take requests. */
  isId(value: string, context: Context): boolean;
}

const typesKnown = ({ session }: Context): Named[] => {
  const types = [...session.service().items('asset-type'), ...seenValues(session, 'asset-type')];
  return [...new Set(types)].map((type) => ({ id: type, name: type }));
};

const typeFilter = { noun: 'types', fields: ['asset.type'], known: typesKnown, isId: () => false };

const filters: Readonly<Record<string, NamedFilter>> = {
  user: {
    noun: 'users',
    fields: ['user', 'user._id', 'user.name'],
    known: (context) => allUsers(context, 'names of users'),
    isId: (value, { session }) => session.userName(value) !== undefined,
  },
  projects: {
    noun: 'projects',
    fields: ['project', 'project._id', 'project.name'],
    isList: true,
    known: (context) => namedRecords(context, 'project'),
    // Ids have digits or hyphens, and neither spaces nor capital letters.
    isId: (value) => /[\d-]/.test(value) && !/[\p{Lu} ]/u.test(value),
  },
  type: typeFilter,
  types: { ...typeFilter, isList: true },
};

/** Replaces the names in filters by ids, and says so. What is no known name is sent, with a warning. */
async function withIds(context: Context, input: Input): Promise<Input> {
  const replaced: Record<string, string> = {};
  for (const [key, { noun, isList, isId, known: find }] of Object.entries(filters)) {
    const given = stringOption(input, key);
    if (given === undefined) continue;
    const values = isList ? given.split(',').map((one) => one.trim()) : [given];
    const named = values.filter((value) => !isId(value, context));
    const known = named.length === 0 ? [] : await find(context);
    const filter = { flag: `--${key}`, noun, known };
    const ids = values.map((value) =>
      named.includes(value) ? idOf(context, filter, value) : value,
    );
    replaced[key] = ids.join(',');
  }
  return { ...input, options: { ...input.options, ...replaced } };
}

function idOf(
  { reporter }: Context,
  { flag, noun, known }: { flag: string; noun: string; known: readonly Named[] },
  value: string,
): string {
  const mayBeId = known.length === 0 && !/[\s@]/.test(value);
  if (mayBeId || known.some(({ id }) => id === value)) return value;
  const [first, ...others] = matching(value, known).found;
  if (others.length > 0) {
    const list = [first as Named, ...others].map(nameAndId).join('; ');
    throw usageError(`${flag} ${value} matches ${list}`, 'Use one of them.', { flag, value });
  }
  if (first) {
    reporter.noteReading(noun, `${flag} ${value}: ${nameAndId(first)}`);
    return first.id;
  }
  const textsOf = ({ id, name }: Named) => [id, name, ...name.split(' ')].map(folded);
  const near = nearest(folded(value), known.flatMap(textsOf));
  const meant = known.find((one) => textsOf(one).some((text) => text === near));
  const names = known.map(({ id, name }) => (name === id || name === '' ? id : `${id} (${name})`));
  const hint = meant ? ` (did you mean ${nameAndId(meant)}?)` : knownList(noun, names);
  reporter.warn('no-match', `${flag} ${value} is none of the ${noun} that mar knows${hint}`);
  return value;
}
