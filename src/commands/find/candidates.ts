import { fieldOf, textAt } from '../../json/fields.ts';
import { textMatcher } from '../../values/match.ts';

export const findKinds = ['asset', 'file', 'project', 'user', 'wr'] as const;

/** A record that a search may find. */
export interface Candidate {
  kind: string;
  id: string;
  name: string;
  /** Other texts that are searched, by their names in the output. */
  also?: Readonly<Record<string, string>>;
}

export interface Found extends Candidate {
  /** The part that matched: `id`, `name`, `words in name`. */
  match: string;
  /** 0 is best. */
  rank: number;
}

function candidate(kind: string, record: unknown, also: Candidate['also'] = {}): Candidate[] {
  const id = textAt(record, '_id');
  return id === '' ? [] : [{ kind, id, name: textAt(record, 'name'), also }];
}

export const inUser = (user: unknown): Candidate[] =>
  candidate('user', user, {
    'e-mail': textAt(user, 'emailNormal'),
    login: textAt(user, 'username'),
  });

export const inFile = (file: unknown): Candidate[] => candidate('file', file);

export const inAsset = (asset: unknown): Candidate[] =>
  candidate('asset', asset, {
    slug: textAt(asset, 'slug'),
    'import name': textAt(asset, 'importName'),
  });

export const inDownload = (download: unknown): Candidate[] => [
  ...candidate('asset', fieldOf(download, 'asset')),
  ...candidate('project', fieldOf(download, 'project')),
  ...inFile(fieldOf(download, 'file')),
];

/** How each rank of the name is described. */
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
