import { endpoints } from '../../api/endpoints.ts';
import type { Candidate } from '../command.ts';

const known = Object.values(endpoints);

/** The methods that the service is known to take; `mar api` sends others as well. */
export const knownMethods = (): Candidate[] =>
  [...new Set(known.map(({ method }) => method))].map((value) => ({ value }));

/** The paths of a method, each up to where its id would stand. */
export function knownPaths(word = ''): Candidate[] {
  const fitting = known.filter(({ method }) => method === word.toUpperCase());
  const byPath = new Map(fitting.map(({ path, summary }) => [path, summary]));
  return [...byPath].map(([path, summary]) => {
    const value = path.replace(/\{id\}$/, '');
    return value === path ? { value, summary } : { value, summary, isOpen: true };
  });
}
