/* A cache for compiled code, which Node has itself since version 22. */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const zlib = require('node:zlib');

/**
 * Loads the program's own files. The first line of each holds the hash of its content.
 * @param {string} folder
 * @param {(found: import('node:fs').Stats) => boolean} isOwn true if no other user can write to it
 */
module.exports = (folder, isOwn) => {
  /** @type {Map<string, { exports: any }>} */
  const loaded = new Map();
  /** @type {[string, import('node:vm').Script][]} */
  const fresh = [];

  const keep = () => {
    try {
      for (const [file, script] of fresh) replace(file, withChecksum(script.createCachedData()));
      if (fresh.length > 0) removeOld(folder);
    } catch {
      // A full or read-only disk: the next run compiles again.
    }
  };

  /**
   * @param {string} file
   * @returns {any}
   */
  const load = (file) => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const source = fs.readFileSync(file, 'utf8');
    const cached = path.join(folder, source.slice(2, source.indexOf('\n')));
    const script = new vm.Script(asFunction(source), {
      filename: file,
      cachedData: readCached(cached, isOwn),
    });
    if (script.cachedDataRejected !== false) fresh.push([cached, script]);
    const own = { exports: {} };
    loaded.set(file, own);
    const directory = path.dirname(file);
    /** @param {string} name */
    const requireFrom = (name) =>
      name.startsWith('.') ? load(path.join(directory, name)) : require(name);
    script.runInThisContext()(own.exports, requireFrom, own, file, directory);
    return own.exports;
  };
  return { load, keep };
};

/**
 * Node's own wrapper of a CommonJS file.
 * @param {string} source
 */
const asFunction = (source) =>
  `(function(exports,require,module,__filename,__dirname){${source}\n})`;

/**
 * Replaces the file atomically, because another run may read it.
 * @param {string} file
 * @param {Buffer} content
 */
function replace(file, content) {
  const temporary = path.join(
    path.dirname(file),
    `.mar-${require('node:crypto').randomUUID()}.tmp`,
  );
  try {
    fs.writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, file);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/**
 * Removes cached code of earlier versions.
 * @param {string} folder
 */
function removeOld(folder) {
  const monthAgo = Date.now() - 30 * 24 * 3600 * 1000;
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (fs.lstatSync(file).mtimeMs < monthAgo) fs.rmSync(file);
  }
}

/** A checksum ends each file, because damaged compiled code crashes Node. */
const checksumBytes = 4;

/** @param {Buffer} data */
function withChecksum(data) {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(zlib.crc32(data));
  return Buffer.concat([data, checksum]);
}

/**
 * @param {string} file
 * @param {(found: import('node:fs').Stats) => boolean} isOwn
 */
function readCached(file, isOwn) {
  try {
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
    const descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const found = fs.fstatSync(descriptor);
      if (!found.isFile() || !isOwn(found)) return undefined;
      const all = fs.readFileSync(descriptor);
      const data = all.subarray(0, -checksumBytes);
      return all.readUInt32LE(data.length) === zlib.crc32(data) ? data : undefined;
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
