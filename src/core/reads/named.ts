import { folded, hasWords } from '../values/match.ts';

/** A record that people call by its name. */
export interface Named {
  id: string;
  name: string;
  emails?: readonly string[];
}

/** The record with this e-mail or this whole name, or else all whose names have these words. */
export function matching<One extends Named>(given: string, all: readonly One[]) {
  const wanted = folded(given);
  const exact = all.filter(({ name, emails = [] }) =>
    [name, ...emails].some((text) => folded(text) === wanted),
  );
  if (exact.length > 0) return { found: exact, isExact: true };
  return { found: all.filter(({ name }) => hasWords(name, given)), isExact: false };
}

/** `Greta Vogel, u-greta` */
export const nameAndId = ({ name, id }: Named): string =>
  name === '' || name === id ? id : `${name}, ${id}`;
