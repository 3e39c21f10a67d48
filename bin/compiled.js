/*
 * Compiling the program takes longer than running it, so what was compiled is kept for the next run.
 * From Node 22 on, Node does that itself; before, loader.js does, for the program's own files.
 *
 * Compiled code runs as it is. So it is only taken from files that nobody else can have written: each
 * file and each folder on the way to it is checked.
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
    if (isOwnTree(folder)) {
      /** @type {any} */ (require('node:module')).enableCompileCache?.(folder);
    }
    return require(name);
  }
  const loader = require('./loader.js')(folder, isOwn);
  keep = loader.keep;
  return loader.load(path.join(__dirname, name));
}

/** Called once the program has run: by then, what it needs is compiled. */
let keep = () => {};

/** @param {string | undefined} word */
function folderFor(word = '') {
  const base = ownFolder();
  const part = /^[a-z][a-z-]{0,23}$/.test(word) ? word : 'other';
  if (!base) return undefined;
  const ofNode = path.join(base, `${version}-${arch}`);
  const folder = path.join(ofNode, part);
  return makeOwnFolder(ofNode) && makeOwnFolder(folder) ? folder : undefined;
}

/**
 * A folder that only this user may write to, or none. The one-file program loads its libraries from
 * there. Nobody else may be able to exchange one of its parents either.
 */
function ownFolder() {
  const named = cacheFolder();
  if (!named) return undefined;
  try {
    makeFolder(path.resolve(named));
    const folder = fs.realpathSync.native(named);
    if (!isOwn(fs.lstatSync(folder))) return undefined;
    for (let child = folder, parent = ''; child !== parent; child = parent) {
      parent = path.dirname(child);
      if (!isSafeParent(fs.lstatSync(parent))) return undefined;
    }
    return folder;
  } catch {
    return undefined;
  }
}

/**
 * With its missing parents. Not `mkdir` with `recursive`, which never ends below /proc on Node 20.
 * @param {string} folder
 */
function makeFolder(folder) {
  if (fs.statSync(folder, { throwIfNoEntry: false })) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder, 0o700);
  } catch (error) {
    // Another run may have been faster.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}

/** @param {string} folder */
function makeOwnFolder(folder) {
  try {
    makeFolder(folder);
    const found = fs.lstatSync(folder);
    return found.isDirectory() && isOwn(found);
  } catch {
    return false;
  }
}

/** @param {import('node:fs').Stats} found */
const isOwned = ({ uid }) => platform === 'win32' || uid === process.getuid?.();

/**
 * Whether a file or folder is this user's, and nobody else may write to it.
 * @param {import('node:fs').Stats} found
 */
const isOwn = (found) => isOwned(found) && (platform === 'win32' || (found.mode & 0o022) === 0);

/** Root, where a user namespace or a network file system hides it. */
const nobody = 65534;

/**
 * Whether nobody else may exchange what is in a folder. A group with the number of its folder's owner
 * is taken for that user's own.
 * @param {import('node:fs').Stats} found
 */
function isSafeParent(found) {
  if (platform === 'win32') return true;
  const { uid, gid, mode } = found;
  const isSticky = (mode & 0o1000) !== 0;
  const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
  return (isOwned(found) || uid === 0 || uid === nobody) && (isSticky || !isOpen);
}

/**
 * Whether all that Node may load from a folder is this user's. Node makes folders that others may
 * write to, if the user's umask says so: these are closed.
 * @param {string} folder
 * @returns {boolean}
 */
function isOwnTree(folder) {
  try {
    return fs.readdirSync(folder).every((name) => {
      const file = path.join(folder, name);
      const found = fs.lstatSync(file);
      if (!found.isDirectory()) return found.isFile() && isOwn(found);
      if (!isOwned(found)) return false;
      if (!isOwn(found)) fs.chmodSync(file, 0o700);
      return isOwnTree(file);
    });
  } catch {
    return false;
  }
}

function cacheFolder() {
  if (env.MAR_CACHE_DIR) return env.MAR_CACHE_DIR;
  if (platform === 'win32') return env.LOCALAPPDATA && path.join(env.LOCALAPPDATA, 'mar', 'cache');
  if (platform === 'darwin') return env.HOME && path.join(env.HOME, 'Library', 'Caches', 'mar');
  const caches = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
  return caches && path.join(caches, 'mar');
}

module.exports = { load, keep: () => keep(), ownFolder, isOwn, isOwnTree };
