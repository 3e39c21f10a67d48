/*
 * Compiling the program takes longer than running it, so what was compiled is kept for the next run.
 * From Node 22 on, Node does that itself; before, loader.js does, for the program's own files.
 */
const fs = require('node:fs');
const path = require('node:path');

const { env, platform, version, arch } = process;

/**
 * Loads a part of the program.
 * @param {string} name of its file, seen from here
 * @param {string | undefined} word what it is asked for: each command uses other parts of it
 * @returns {any} what it exports
 */
function load(name, word) {
  const folder = env.NODE_DISABLE_COMPILE_CACHE ? undefined : folderFor(word);
  if (!folder) return require(name);
  if (Number.parseInt(version.slice(1), 10) >= 22) {
    /** @type {any} */ (require('node:module')).enableCompileCache?.(folder);
    return require(name);
  }
  const loader = require('./loader.js')(folder);
  keep = loader.keep;
  return loader.load(path.join(__dirname, name));
}

/** Called once the program has run: by then, what it needs is compiled. */
let keep = () => {};

/** @param {string | undefined} word */
function folderFor(word = '') {
  const base = ownFolder();
  const part = /^[a-z][a-z-]{0,23}$/.test(word) ? word : 'other';
  return base && path.join(base, `${version}-${arch}`, part);
}

/**
 * A folder of the user's own, or none: compiled code is run as it is, so nobody else may write it.
 * The one-file program loads its libraries from there.
 */
function ownFolder() {
  const base = cacheFolder();
  if (!base) return undefined;
  try {
    fs.mkdirSync(base, { recursive: true, mode: 0o700 });
    const { uid, mode } = fs.statSync(base);
    const isOwn = platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0);
    return isOwn ? base : undefined;
  } catch {
    return undefined;
  }
}

function cacheFolder() {
  if (env.MAR_CACHE_DIR) return env.MAR_CACHE_DIR;
  if (platform === 'win32') return env.LOCALAPPDATA && path.join(env.LOCALAPPDATA, 'mar', 'cache');
  if (platform === 'darwin') return env.HOME && path.join(env.HOME, 'Library', 'Caches', 'mar');
  const caches = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
  return caches && path.join(caches, 'mar');
}

module.exports = { load, keep: () => keep(), ownFolder };
