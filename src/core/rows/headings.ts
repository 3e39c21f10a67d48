import type * as z from 'zod/mini';
import { type FieldSchemas, fieldAt, fieldBelow, partsOf } from '../api/schemaWalk.ts';
import { orUndefined } from '../errors.ts';
import { extendPath, parsePath } from '../json/path.ts';
import { isZone } from '../records/dateText.ts';
import { folded } from '../values/match.ts';

/* Headings as people write them: `Due date`, `LANGUAGE`, `dialogue`. */

/** Names of a field that is called differently: short ones that mar prints, German, French and Spanish ones. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  _id: ['id'],
  language: ['lang', 'Sprache', 'Langue', 'Idioma'],
  territory: ['terr', 'Territorium', 'Gebiet', 'Territoire', 'Territorio'],
  project: ['Projekt', 'Projet', 'Proyecto'],
  country: ['Land', 'Pays', 'País'],
  'due.date': [
    ...['Fällig', 'Fällig am', 'Fälligkeitsdatum'],
    ...['Échéance', "Date d'échéance", 'Vencimiento', 'Fecha límite'],
  ],
  'due.tz': ['tz', 'Zeitzone', 'Fuseau horaire', 'Zona horaria'],
  'deliveryDeadline.date': ['Liefertermin', 'Date de livraison', 'Fecha de entrega'],
  instructions: ['Anweisungen', 'Consignes', 'Instrucciones'],
  'uses.items': ['Verwendung', 'Utilisation', 'Uso'],
};

const maxDepth = 3;

/** Without case, accents, spaces and punctuation. */
export const headingWord = (text: string) => folded(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

export interface Heading {
  path: string;
  /** The zone of its dates: `Due (Europe/Paris)`. */
  zone?: string;
}

export type HeadingReader = (heading: string) => Heading | undefined;

/** Returns the field that a heading names: a path, or the name of a field as people write it. */
export function headingReader(schema: z.ZodMiniType): HeadingReader {
  const byWord = wordsOf(schema);
  return (heading) => {
    const steps = orUndefined(() => parsePath(heading));
    if (steps && fieldAt(schema, steps).length > 0) return { path: heading };
    const [, start = '', inBrackets = ''] = /^([^()]*)\(([^()]+)\)$/.exec(heading) ?? [];
    const zone = isZone(inBrackets) ? inBrackets : undefined;
    // `Language(s)` is the word LANGUAGES.
    const path = byWord.get(headingWord(zone === undefined ? heading : start));
    return path === undefined ? undefined : { path, zone };
  };
}

/** The paths of documented fields that a cell can hold: one value, a list of them or a reference. */
export const fieldPaths = (schema: z.ZodMiniType) => leavesOf([schema], '');

function leavesOf(field: FieldSchemas, path: string, depth = 0): string[] {
  const names = partsOf(field).flatMap(({ shape }) => Object.keys(shape ?? {}));
  return [...new Set(names)]
    .filter((name) => !name.startsWith('$') && depth < maxDepth)
    .flatMap((name) => {
      const own = extendPath(path, name);
      const below = fieldBelow(field, name);
      const isWhole = partsOf(below).every(({ shape }) => !shape || '_id' in shape);
      return isWhole ? [own] : leavesOf(below, own, depth + 1);
    });
}

function wordsOf(schema: z.ZodMiniType): ReadonlyMap<string, string> {
  const paths = fieldPaths(schema);
  const byWord = new Map(paths.map((path) => [headingWord(path), path]));
  const add = (name: string, path: string) => {
    const word = headingWord(name);
    for (const form of [word, `${word}S`, word.replace(/S$/, '')]) {
      if (!byWord.has(form)) byWord.set(form, path);
    }
  };
  for (const [path, names] of Object.entries(otherNames)) {
    if (paths.includes(path)) for (const name of names) add(name, path);
  }
  for (const path of paths) {
    add(path, path);
    // `due` is its date, and `uses` its items.
    add(path.replace(/\.(?:date|items)$/, ''), path);
    const isReference = partsOf(fieldAt(schema, parsePath(path))).some(({ shape }) => shape);
    if (isReference) for (const end of ['id', 'name']) add(path + end, path);
  }
  // The last name of a path is enough if no other path has it.
  const lastNames = paths.map((path) => path.replace(/.*\./, ''));
  for (const [at, name] of lastNames.entries()) {
    if (lastNames.indexOf(name) === lastNames.lastIndexOf(name)) add(name, paths[at] ?? '');
  }
  return byWord;
}
