import { textAt } from '../../json/fields.ts';
import { textMatcher } from '../../values/match.ts';

export const findKinds = ['asset', 'file', 'project', 'user', 'wr'] as const;

/** A record that a search may find. */
export interface Candidate {
  kind: string;
  id: string;
  name: string;
  also?: Readonly<Record<string, string>>;
}

export interface Found extends Candidate {
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

export function candidatesIn(kind: string, record: unknown): Candidate[] {
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
export function candidateMatcher(query: string): (candidate: Candidate) => Found | undefined {
  const matches = textMatcher(query);
  return (candidate) => {
    const { id, name, also = {} } = candidate;
    const found = (match: string, rank: number): Found => ({ ...candidate, match, rank });
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
