import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * The library's type declarations as one file. They come from a few files with plain types, so it is
 * enough to join these files and to export what the library's entry exports.
 */
export async function libraryTypes() {
  const folder = await mkdtemp(path.join(tmpdir(), 'mar-types-'));
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  try {
    const project = ['--project', 'src/library', '--outDir', folder];
    await promisify(execFile)(process.execPath, [tsc, ...project]);
    const entry = path.join(folder, 'library/library.d.ts');
    const declarations = await joinedDeclarations(entry, new Set());
    return `${declarations}export { ${(await exportsOf(entry)).join(', ')} };\n`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const fromClause = /^(?:import|export) ([^;]*?) ?from '([^']+)';\n/gm;

/**
 * @param {string} importer
 * @param {string} name
 */
const declarationFile = (importer, name) =>
  path.resolve(path.dirname(importer), name.replace(/\.ts$/, '.d.ts'));

/**
 * The declarations of a file, after those of the files that it imports, each file once.
 * @param {string} file
 * @param {Set<string>} seen
 * @returns {Promise<string>}
 */
async function joinedDeclarations(file, seen) {
  if (seen.has(file)) return '';
  seen.add(file);
  const source = await readFile(file, 'utf8');
  let imported = '';
  for (const [, , name = ''] of source.matchAll(fromClause)) {
    imported += await joinedDeclarations(declarationFile(file, name), seen);
  }
  // `export {};` marks a file with declarations of its own.
  const own = source.replaceAll(fromClause, '').replaceAll(/^export \{\};\n/gm, '');
  return imported + own.replaceAll(/^export /gm, '');
}

/**
 * The exported names: `createClient`, `type Asset`.
 * @param {string} entry
 */
async function exportsOf(entry) {
  const source = await readFile(entry, 'utf8');
  const own = source.matchAll(/^export declare const (\w+)/gm);
  const names = [...own].map(([, name]) => name ?? '');
  for (const [statement, clause = '', file = ''] of source.matchAll(fromClause)) {
    if (statement.startsWith('import')) continue;
    if (clause.startsWith('{')) {
      const listed = clause.slice(1, -1).split(',');
      names.push(...listed.map((name) => name.trim()));
    } else {
      const declarations = await readFile(declarationFile(entry, file), 'utf8');
      const types = declarations.matchAll(/^export (?:interface|type) (\w+)/gm);
      names.push(...[...types].map(([, type]) => `type ${type}`));
    }
  }
  return names;
}
