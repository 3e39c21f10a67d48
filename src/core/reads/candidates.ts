import { type Endpoint, endpoints } from '../api/endpoints.ts';
import { MarError } from '../errors.ts';
import { fieldOf, textAt } from '../json/fields.ts';
import type { Context } from '../session/context.ts';
import { recentIds } from '../session/remember.ts';
import { textMatcher } from '../values/match.ts';
import { guardedPages, pageSizeOf } from './listRecords.ts';

export const findKinds = ['asset', 'file', 'project', 'user', 'wr'] as const;

/** A record that a search may find. */
export interface Candidate {
  kind: string;
  id: string;
  name: string;
  also?: Readonly<Record<string, string>>;
}

export interface FoundRecord extends Candidate {
  /** The part that matched: `id`, `name`, `words in name`. */
  match: string;
  /** 0 is best. */
  rank: number;
}

/** Fields that are searched besides the name, by their names in the output. */
const otherFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  asset: { slug: 'slug', 'import name': 'importName' },
  user: { 'e-mail': 'emailNormal', login: 'username' },
};

function candidatesIn(kind: string, record: unknown): Candidate[] {
  const id = textAt(record, '_id');
  const others = Object.entries(otherFields[kind] ?? {});
  const also = Object.fromEntries(others.map(([name, path]) => [name, textAt(record, path)]));
  return id === '' ? [] : [{ kind, id, name: textAt(record, 'name'), also }];
}

const nameMatches = {
  exact: 'name',
  start: 'start of name',
  words: 'words in name',
  part: 'part of name',
} as const;

/** A file name starts with what is only a word in the name of its asset, so both count the same. */
const ranks = { exact: 1, start: 2, words: 2, part: 3 } as const;

/**
 * Ranks an exact id first, then an exact name, the start of either or of its words, and any part.
 * All words must match. Other fields count only if neither the name nor the id matches.
 */
export function candidateMatcher(query: string): (candidate: Candidate) => FoundRecord | undefined {
  const matches = textMatcher(query);
  return (candidate) => {
    const { id, name, also = {} } = candidate;
    const found = (match: string, rank: number): FoundRecord => ({ ...candidate, match, rank });
    const [inId, inName] = [matches(id), matches(name)];
    const [idRank, nameRank] = [inId, inName].map((rank) => rank && ranks[rank]);
    if (inId === 'exact') return found('id', 0);
    if (inName && nameRank && (!idRank || nameRank <= idRank)) {
      return found(nameMatches[inName], nameRank);
    }
    if (idRank) return found('part of id', idRank);
    const field = Object.entries(also).find(([, text]) => matches(text));
    if (field) return found(field[0], 4);
    const isSpread = matches([name, id, ...Object.values(also)].join(' '));
    return isSpread && found('several fields', 5);
  };
}

export const maxSearched = 1000;

export interface SearchedList {
  endpoint: Endpoint;
  /** The singular: `download`. */
  noun: string;
  kinds: readonly string[];
  /** Its records have those of `kinds` in fields of these names. */
  isEmbedding?: true;
  /** The sandbox's lists start with the newest record; the API says nothing about their order. */
  part: 'newest' | 'first';
}

const { downloadList, fileList, assetWorkflowNotify, userList } = endpoints;

export const searchedLists: readonly SearchedList[] = [
  {
    endpoint: downloadList,
    noun: 'download',
    kinds: ['asset', 'project', 'file'],
    isEmbedding: true,
    part: 'newest',
  },
  { endpoint: fileList, noun: 'file', kinds: ['file'], part: 'first' },
  {
    endpoint: assetWorkflowNotify,
    noun: 'workflow notification',
    kinds: ['asset'],
    part: 'first',
  },
  { endpoint: userList, noun: 'user', kinds: ['user'], part: 'first' },
];

export const candidatesOf = ({ kinds, isEmbedding }: SearchedList, record: unknown): Candidate[] =>
  kinds.flatMap((kind) => candidatesIn(kind, isEmbedding ? fieldOf(record, kind) : record));

/** A list may be too long to be read for the names in it. */
const maxRead = 10_000;

/** The records that have a name: those that were used on this machine, and those in the lists. */
export async function namedRecords(context: Context, kind: 'asset' | 'project') {
  const { session, world, reporter } = context;
  const byId = new Map<string, Candidate>();
  for (const { id, text } of kind === 'asset' ? recentIds(session, 'Asset') : []) {
    byId.set(id, { kind, id, name: text });
  }
  const client = await session.client();
  const extent = { from: 0, to: maxRead - 1, pageSize: pageSizeOf(session) };
  for (const list of searchedLists.filter(({ kinds }) => kinds.includes(kind))) {
    const { endpoint, noun } = list;
    try {
      const pages = guardedPages(context, extent, (range, signal) =>
        client.unreadPage(endpoint, { range, signal }),
      );
      for await (const { records } of pages) {
        const found = records.flatMap(({ value }) => candidatesOf(list, value));
        for (const one of found) if (one.kind === kind) byId.set(one.id, one);
      }
    } catch (error) {
      if (!(error instanceof MarError) || world.signal.aborted) throw error;
      const message = `the ${noun}s were not searched for names: ${error.message}`;
      reporter.warn('incomplete-search', message);
    }
  }
  return [...byId.values()];
}
