import { endpoints } from '../../api/endpoints.ts';
import { usageError } from '../../errors.ts';
import { type Input, stringOption } from '../../input.ts';
import { textAt } from '../../json/fields.ts';
import { allUsers } from '../../reads/knownUsers.ts';
import { guardedPages, wholeList } from '../../reads/list.ts';
import { matching, type Named, nameAndId } from '../../reads/named.ts';
import { knownList } from '../../reads/select.ts';
import { documentedValues } from '../../records/knownValues.ts';
import type { Context } from '../../session/context.ts';
import { seenValues } from '../../session/remember.ts';
import { lazily } from '../../values/concurrency.ts';
import { folded } from '../../values/match.ts';
import { nearest } from '../../values/nearest.ts';

/* The service filters by ids and types. People know names. */

interface NamedFilter {
  noun: string;
  /** The value may be several, with commas between them. */
  isList?: true;
  known(context: Context, input: Input): Promise<readonly Named[]> | readonly Named[];
  /** True for a value that needs no look-up, which may take requests. */
  isId(value: string, context: Context): boolean;
}

const typesKnown = ({ session }: Context): Named[] =>
  [...(documentedValues['asset type'] ?? []), ...seenValues(session, 'asset type')].map((type) => ({
    id: type,
    name: type,
  }));

/** Ids have neither spaces nor capital letters; names have. */
const looksLikeId = (value: string) => /^[a-z\d][a-z\d_-]*$/.test(value);

const maxSearched = 1000;

const filters: Readonly<Record<string, NamedFilter>> = {
  user: {
    noun: 'users',
    known: (context) => allUsers(context, 'names of users'),
    isId: (value, { session }) => looksLikeId(value) || session.userName(value) !== undefined,
  },
  projects: { noun: 'projects', isList: true, known: projectsKnown, isId: looksLikeId },
  type: { noun: 'types', known: typesKnown, isId: () => false },
  types: { noun: 'types', isList: true, known: typesKnown, isId: () => false },
};

/** The service lists no projects, but downloads name theirs. */
async function projectsKnown(context: Context, input: Input): Promise<readonly Named[]> {
  const client = await context.session.client();
  const extent = { ...wholeList(context, input), to: maxSearched - 1 };
  const found = new Map<string, Named>();
  const pages = guardedPages(context, extent, (range, signal) =>
    client.unreadPage(endpoints.downloadList, { range, signal }),
  );
  for await (const { records } of pages) {
    for (const { value } of records) {
      const id = textAt(value, 'project._id');
      if (id !== '') found.set(id, { id, name: textAt(value, 'project.name') });
    }
  }
  return [...found.values()];
}

interface Given extends NamedFilter {
  flag: string;
  values: readonly string[];
  /** Read once, and only if they are needed. */
  all(): Promise<readonly Named[]>;
}

/**
 * Replaces the names in filters by ids, and says so; what is no known name is sent as it is. For a list
 * without a record, `warnOfUnknown` names each value that is none of the known ones.
 */
export async function readNames(context: Context, input: Input) {
  const given = Object.entries(filters).flatMap(([key, filter]): [string, Given][] => {
    const text = stringOption(input, key);
    if (text === undefined) return [];
    const values = filter.isList ? text.split(',').map((one) => one.trim()) : [text];
    const all = lazily(async () => filter.known(context, input));
    return [[key, { ...filter, flag: `--${key}`, values, all }]];
  });
  const replaced: Record<string, string> = {};
  for (const [key, filter] of given) {
    const ids = await Promise.all(filter.values.map((value) => idOf(context, filter, value)));
    replaced[key] = ids.join(',');
  }
  const sent: Input = { ...input, options: { ...input.options, ...replaced } };
  const warnOfUnknown = async () => {
    for (const [, filter] of given) {
      const isDoubtful = (value: string) => filter.noun !== 'projects' || !looksLikeId(value);
      for (const value of filter.values.filter(isDoubtful)) await warnOf(context, filter, value);
    }
  };
  return { sent, warnOfUnknown };
}

async function idOf(context: Context, filter: Given, value: string): Promise<string> {
  const { flag, noun, all } = filter;
  if (value === '' || filter.isId(value, context)) return value;
  const known = await all();
  if (known.some(({ id }) => id === value)) return value;
  const { found } = matching(value, known);
  const [first] = found;
  if (found.length > 1) {
    const list = found.map(nameAndId).join('; ');
    const hint = `Use the ${noun === 'types' ? 'whole type' : 'id'} of one of them.`;
    throw usageError(`${flag} ${value} matches ${list}`, hint, { flag, value });
  }
  if (first) context.reporter.noteReading(noun, `${flag} ${value}: ${nameAndId(first)}`);
  return first?.id ?? value;
}

async function warnOf({ reporter }: Context, { flag, noun, all }: Given, value: string) {
  const known = await all();
  const isKnown = known.some(({ id }) => id === value) || matching(value, known).isExact;
  if (isKnown || known.length === 0) return;
  const byText = new Map(
    known.flatMap((one) =>
      [...one.name.split(' '), one.name, one.id].map((text) => [folded(text), one] as const),
    ),
  );
  const meant = byText.get(nearest(folded(value), [...byText.keys()]) ?? '');
  const names = known.map(({ id, name }) => (name === id || name === '' ? id : `${id} (${name})`));
  const hint = meant ? ` (did you mean ${nameAndId(meant)}?)` : knownList(noun, names);
  reporter.warn('no-match', `no download matches ${flag} ${value}${hint}`);
}
