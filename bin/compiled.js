/*
 * Compiling the program takes longer than running it, so the compiled code is cached for the next run.
 * Node has a cache of its own since version 22; for older versions, loader.js caches the program's files.
 *
 * Compiled code is executed unchecked, so it is loaded only from files that no other user can write.
 * Each file, and each folder above it, is checked.
 */
const fs = require('node:fs');
const path = require('node:path');

const { env, platform, version, arch } = process;

/**
 * Loads a module of the program.
 * @param {string} name path relative to this file
 * @param {string | undefined} word the command: each has its own cache, because it loads other modules
 * @returns {any} its exports
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

/** Writes the cache. Called after the program has run, when everything that it needs is compiled. */
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
 * The cache folder, or undefined unless only this user can write to it and nobody else can replace
 * one of its parents. The one-file program loads its libraries from it.
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
 * Also creates missing parents. `mkdir` with `recursive` never returns below /proc on Node 20.
 * @param {string} folder
 */
function makeFolder(folder) {
  if (fs.statSync(folder, { throwIfNoEntry: false })) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder, 0o700);
  } catch (error) {
    // Another run may have created it.
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
 * True if the file or folder belongs to this user and no other user can write to it.
 * @param {import('node:fs').Stats} found
 */
const isOwn = (found) => isOwned(found) && (platform === 'win32' || (found.mode & 0o022) === 0);

/** The owner that user namespaces and network file systems show instead of root. */
const nobody = 65534;

/**
 * True if no other user can replace the content of the folder. A group with the same number as the
 * owner counts as the owner's private group.
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
 * True if everything that Node may load from a folder belongs to this user. Depending on the umask,
 * Node creates folders that others can write to; their permissions are corrected.
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
  const named = env.XDG_CACHE_HOME ?? '';
  const caches = path.isAbsolute(named) ? named : env.HOME && path.join(env.HOME, '.cache');
  return caches && path.join(caches, 'mar');
}

module.exports = { load, keep: () => keep(), ownFolder, isOwn, isOwnTree };
