import { MarError, usageError } from '../../../../core/errors.ts';
import {
  type Completes,
  type Input,
  type Option,
  option,
  optionKey,
  readOption,
} from '../../../../core/input.ts';
import { keptUser, ownUser } from '../../../../core/reads/knownUsers.ts';
import { knownList } from '../../../../core/reads/select.ts';
import { readLength } from '../../../../core/records/dateText.ts';
import type { Context } from '../../../../core/session/context.ts';
import { folded, hasWords } from '../../../../core/values/match.ts';
import { nearest } from '../../../../core/values/nearest.ts';
import type { Row } from './rows.ts';

interface Field {
  summary: string;
  completes?: Completes;
  /** The words of a row that a value may equal. */
  texts(row: Row): readonly string[];
  /** Names of a row that a value may match by some of their words. */
  names?(row: Row): readonly string[];
}

const fields: Readonly<Record<string, Field>> = {
  '--status <status>': {
    summary: 'only those with this status; repeatable, like the next five',
    completes: { valueNamed: 'status' },
    texts: ({ status }) => [status],
  },
  '--language <code>': {
    summary: 'only those in this language',
    completes: 'language',
    texts: ({ language }) => [language],
  },
  '--territory <code>': {
    summary: 'only those for this territory',
    completes: { valueNamed: 'territory' },
    texts: ({ territory }) => [territory],
  },
  '--project <name>': {
    summary: 'only those of this project, by name or id',
    texts: ({ project, projectId }) => [project, projectId],
    names: ({ project }) => [project],
  },
  '--asset <name>': {
    summary: 'only those of this asset, by name or id',
    texts: ({ asset, assetId }) => [asset, assetId],
    names: ({ asset }) => [asset],
  },
  '--waits-for <who>': {
    summary: 'only those that wait for: me, a person or a group',
    texts: ({ awaited }) =>
      awaited.flatMap(({ name, id, email, groups }) => {
        return [name, id, email, ...groups.flatMap((group) => [group.name, group.id])];
      }),
    names: ({ awaited }) => awaited.map(({ name }) => name),
  },
};

export const filterOptions: readonly Option[] = [
  option('--late', 'only those that are late'),
  option('--due <duration>', 'only those that are late or due within this time, such as 3d'),
  ...Object.entries(fields).map(([flags, { summary, completes }]): Option => {
    return { flags, summary, completes, many: true };
  }),
];

/** The flags with their values, empty if none is given, and a function that applies them. */
export async function rowFilter(context: Context, input: Input) {
  const { late, waitsFor } = input.options;
  const { now } = context.session.clock;
  const dueMs = readOption(input, 'due', (text) => readLength(text, '--due', now));
  const wanted = Object.entries(fields).flatMap(([flags, field]) => {
    const values = input.options[optionKey(flags)];
    return Array.isArray(values) ? [{ flag: flags.replace(/ .*/, ''), field, values }] : [];
  });
  const flags = [
    ...(late ? ['--late'] : []),
    ...(dueMs === undefined ? [] : [`--due ${input.options.due}`]),
    ...wanted.flatMap(({ flag, values }) => values.map((value: string) => `${flag} ${value}`)),
  ];
  const isMe = Array.isArray(waitsFor) && waitsFor.includes('me');
  // An account that may not list users is known by its e-mail.
  const lookUp = () =>
    ownUser(context).catch((error: unknown) => {
      if (context.world.signal.aborted || !(error instanceof MarError)) throw error;
      return undefined;
    });
  const user = isMe ? (keptUser(context.session) ?? (await lookUp())) : undefined;
  const apply = (rows: readonly Row[]): Row[] => {
    const matches = wanted.map(({ flag, field, values }) =>
      values.flatMap((given: string) => {
        const isOwn = given === 'me' && flag === '--waits-for';
        const value = isOwn ? (user?.id ?? context.session.identity().email) : given;
        return matchesOf(context, rows, { flag, field, value });
      }),
    );
    // A request that could not be read may match everything.
    return rows.filter(
      (row) =>
        !row.record ||
        ((row.board.late || !late) &&
          (dueMs === undefined || (row.board.timeLeftMs ?? dueMs + 1) <= dueMs) &&
          matches.every((some) => some.includes(row))),
    );
  };
  return { flags: flags.join(' '), apply };
}

/** The rows that a value means: those that it equals, or else those whose names have its words. */
function matchesOf(
  { reporter }: Context,
  rows: readonly Row[],
  { flag, value, field }: { flag: string; value: string; field: Field },
): readonly Row[] {
  const { texts, names = () => [] } = field;
  const exact = rows.filter((row) => texts(row).some((text) => folded(text) === folded(value)));
  if (exact.length > 0) return exact;
  const isNamed = (name: string) => hasWords(name, value);
  const meant = [...new Set(rows.flatMap(names).filter(isNamed))];
  if (meant.length > 1) {
    const hint = 'Use the whole name, or the id.';
    throw usageError(`${flag} ${value} matches ${meant.join('; ')}`, hint, { flag, value });
  }
  if (meant.length === 1) return rows.filter((row) => names(row).some(isNamed));
  const known = [...new Set(rows.flatMap(field.names ?? texts))].filter(Boolean).sort();
  const near = nearest(folded(value), known.map(folded));
  const guess = known.find((one) => folded(one) === near);
  const hint = guess ? ` (did you mean "${guess}"?)` : knownList('values', known);
  reporter.warn('no-match', `no work request matches ${flag} ${value}${hint}`);
  return [];
}
