// Files for the packages, with the same bytes whenever they are made.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The time of the commit, in seconds, which stands in for the time of the build. */
export const commitTime = execFileSync('git', ['log', '-1', '--format=%ct'], {
  encoding: 'utf8',
}).trim();

/**
 * Runs a program, which gets the time of the commit as the time of the build.
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').ExecFileSyncOptions} [options]
 */
export const run = (program, args, options) =>
  execFileSync(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
    env: { ...process.env, LC_ALL: 'C', SOURCE_DATE_EPOCH: commitTime },
  });

/**
 * Writes files below a folder, by their names.
 * @param {string} folder
 * @param {Record<string, string | Buffer>} files
 */
export function writeBelow(folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/**
 * Compresses without a name or a time. Debian's gzip gives the same bytes on every machine; Node's zlib
 * does not.
 * @param {string | Buffer} content
 */
export const gzip = (content) => run('gzip', ['-9n'], { input: content });

/** @param {string} file */
export async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Flags of GNU tar that leave out what differs between machines. */
export const tarFlags = [
  '--sort=name',
  '--format=gnu',
  `--mtime=@${commitTime}`,
  '--numeric-owner',
];
