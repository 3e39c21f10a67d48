import { usageError } from '../../errors.ts';
import { type Input, longName, type Option, optionKey, readOption } from '../../input.ts';
import { ownUser } from '../../reads/knownUsers.ts';
import { knownList } from '../../reads/select.ts';
import { readLength } from '../../records/dateText.ts';
import type { Awaited as AwaitedUser } from '../../records/waitsFor.ts';
import type { Context } from '../../session/context.ts';
import { folded, hasWords } from '../../values/match.ts';
import { nearest } from '../../values/nearest.ts';
import type { BoardRow } from './boardRows.ts';

/* The filters that `today` and `wr board` share. */

export const filterOptions: readonly Option[] = [
  { flags: '--late', summary: 'only those that are late' },
  {
    flags: '--due <duration>',
    summary: 'only those that are due within this time, such as 3d, and the late ones',
  },
  {
    flags: '--status <status>',
    summary: 'only those with this status; repeat it for several, as with the next ones',
    many: true,
    completes: { valueNamed: 'status' },
  },
  {
    flags: '--language <code>',
    summary: 'only those in this language',
    many: true,
    completes: 'language',
  },
  {
    flags: '--territory <code>',
    summary: 'only those for this territory',
    many: true,
    completes: { valueNamed: 'territory' },
  },
  { flags: '--project <name>', summary: 'only those of this project, by name or id', many: true },
  { flags: '--asset <name>', summary: 'only those of this asset, by name or id', many: true },
  {
    flags: '--waits-for <who>',
    summary: 'only those that wait for this person or group: me, a name, an e-mail or an id',
    many: true,
  },
];

interface Field {
  noun: string;
  /** The words of a row that a value may equal. */
  texts(row: BoardRow): readonly string[];
  /** Of these, whole words are enough. */
  names?(row: BoardRow): readonly string[];
}

const peopleOf = ({ awaited }: BoardRow) => awaited.map(({ name }) => name);

const fields: Readonly<Record<string, Field>> = {
  status: { noun: 'statuses', texts: ({ status }) => [status] },
  language: { noun: 'languages', texts: ({ language }) => [language] },
  territory: { noun: 'territories', texts: ({ territory }) => [territory] },
  project: {
    noun: 'projects',
    texts: ({ project, projectId }) => [project, projectId],
    names: ({ project }) => [project],
  },
  asset: {
    noun: 'assets',
    texts: ({ asset, assetId }) => [asset, assetId],
    names: ({ asset }) => [asset],
  },
  waitsFor: { noun: 'people', texts: ({ awaited }) => awaited.flatMap(wordsFor), names: peopleOf },
};

const wordsFor = ({ name, id, email, groups }: AwaitedUser) => [
  ...[name, id, email],
  ...groups.flatMap((group) => [group.name, group.id]),
];

export interface RowFilter {
  /** The flags with their values, for messages. */
  flags: string;
  isLate: boolean;
  apply(rows: readonly BoardRow[]): BoardRow[];
}

/** Undefined if no filter is given. */
export async function rowFilter(context: Context, input: Input): Promise<RowFilter | undefined> {
  const names = filterOptions.map(({ flags }) => longName(flags).slice(2));
  const given = input.given.filter(({ name }) => names.includes(name));
  const isLate = input.options.late === true;
  if (given.length === 0 && !isLate) return undefined;
  const { now } = context.session.clock;
  const dueMs = readOption(input, 'due', (text) => readLength(text, '--due', now));
  const wanted = new Map<string, string[]>();
  for (const { name, value } of given) {
    const key = optionKey(`--${name}`);
    const isMe = key === 'waitsFor' && value === 'me';
    if (key in fields) {
      wanted.set(key, [...(wanted.get(key) ?? []), isMe ? await ownName(context) : value]);
    }
  }
  const apply = (rows: readonly BoardRow[]) => {
    let left = rows.filter(({ board }) => board.late || !isLate);
    if (dueMs !== undefined)
      left = left.filter(({ board }) => (board.timeLeftMs ?? dueMs + 1) <= dueMs);
    for (const [key, values] of wanted) {
      const matches = values.flatMap((value) => matchesOf(context, rows, key, value));
      left = left.filter((row) => matches.includes(row));
    }
    return left;
  };
  const flags = [
    ...(isLate ? ['--late'] : []),
    ...given.map(({ name, value }) => `--${name} ${value}`),
  ].join(' ');
  return { flags, isLate, apply };
}

/** The rows that a value means: those that it equals, or else those whose names have its words. */
function matchesOf(
  { reporter }: Context,
  rows: readonly BoardRow[],
  key: string,
  value: string,
): readonly BoardRow[] {
  const { noun, texts, names } = fields[key] as Field;
  const isSame = (text: string) => folded(text) === folded(value);
  const exact = rows.filter((row) => texts(row).some(isSame));
  if (exact.length > 0) return exact;
  const flag = `--${key === 'waitsFor' ? 'waits-for' : key}`;
  const isNamed = (name: string) => hasWords(name, value);
  const named = rows.filter((row) => names?.(row).some(isNamed));
  const meant = [...new Set(named.flatMap((row) => names?.(row).filter(isNamed) ?? []))];
  if (meant.length > 1) {
    const hint = 'Use the whole name, or the id.';
    throw usageError(`${flag} ${value} matches ${meant.join('; ')}`, hint, { flag, value });
  }
  if (named.length > 0) return named;
  const known = [...new Set(rows.flatMap(names ?? texts))].filter(Boolean);
  const near = nearest(folded(value), known.map(folded));
  const guess = known.find((one) => folded(one) === near);
  const hint = guess ? ` (did you mean "${guess}"?)` : knownList(noun, known.sort());
  reporter.warn('no-match', `no work request matches ${flag} ${value}${hint}`);
  return [];
}

async function ownName(context: Context): Promise<string> {
  const { email } = context.session.identity();
  return (await ownUser(context, false))?.id ?? email;
}
