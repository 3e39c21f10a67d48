import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/errors.ts';
import { isInside, resolveLinks } from '../../core/files/paths.ts';

/** The folders for the files of calls, without links. */
export interface Places {
  /** Calls name files below it. */
  root: string;
  /** Journals of rows that came in a call, which results name without a folder. */
  rows: string;
}

export const rowsJournal = (digest: string) => `rows-${digest.slice(0, 16)}.mar-journal`;
const isRowsJournal = (name: string) => /^rows-[0-9a-f]{16}(\.undo)*\.mar-journal$/.test(name);

const fileFields = ['file', 'output', 'report', 'source', 'sources'];

/**
 * The whole path of a file that a call names, without links; any other text as it is. A source without a
 * dot or slash is an id, unless there is such a folder below the root.
 */
export function placed(field: string, text: string, places: Places): string {
  if (!fileFields.includes(field) || text === '-') return text;
  const folder = isRowsJournal(text) ? places.rows : places.root;
  const real = resolveLinks(path.resolve(folder, text));
  const found = statSync(real, { throwIfNoEntry: false });
  const isSource = field.startsWith('source');
  if (isSource && !/[./\\]/.test(text) && !found?.isDirectory()) return text;
  refuseOutside(text, real, folder);
  if (found && (field === 'output' || field === 'report')) {
    throw usageError(`${text} exists already`, 'Choose another name.', { field });
  }
  if (isSource && found?.isDirectory()) refuseLinksIn(real, places.root);
  else if (found && !found.isFile()) {
    throw usageError(`${text} is not a regular file`, { value: text });
  }
  // A batch has its journals beside its input.
  const [input = ''] = path.basename(real).split(/(?:\.\d+-of-\d+)?(?:\.undo)*\.mar-journal$/);
  if (field === 'file' && found) refuseLinksIn(path.dirname(real), folder, `${input}.`);
  return real;
}

/** Refuses a journal that no call could name: the log has batches of any folder. */
export const refuseElsewhere = (journal: string, { root, rows }: Places) =>
  placed('file', journal, { root: isInside(rows, journal) ? rows : root, rows });

function refuseOutside(named: string, real: string, folder: string): void {
  if (isInside(folder, real)) return;
  const message = `${named} is outside the folder of this server, ${folder}`;
  const hint = 'Nothing was read or sent. The person can choose another folder.';
  throw usageError(message, hint, { value: named });
}

/** Refuses links that lead out of the root, of files that start like this or of the whole folder. */
function refuseLinksIn(folder: string, root: string, start = ''): void {
  const recursive = start === '';
  for (const entry of readdirSync(folder, { recursive, withFileTypes: true })) {
    if (!entry.isSymbolicLink() || !entry.name.startsWith(start)) continue;
    const link = path.join(entry.parentPath, entry.name);
    refuseOutside(path.relative(root, link), resolveLinks(link), root);
  }
}

/** Names files by their paths below the root: the others say nothing to an agent. */
export function namesBelow({ root, rows }: Places): (text: string) => string {
  const folders = [root, rows].filter((one) => path.dirname(one) !== one);
  const places = folders.map((one) => `${one}${path.sep}`.replaceAll(/[^\w/]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\w./\\\\-])(?:${places.join('|')})`, 'g');
  return (text) => text.replaceAll(pattern, '');
}
