// Preloaded into the program. On exit it writes the list of loaded files and modules.
const { writeFileSync } = require('node:fs');

/** The built-in modules that Node has loaded so far. */
const builtins = () =>
  /** @type {{ moduleLoadList: string[] }} */ (/** @type {unknown} */ (process)).moduleLoadList;

const before = builtins().length;
process.on('exit', () => {
  const file = process.env.LOADS_FILE;
  if (!file) return;
  const files = Object.keys(require.cache).filter((name) => name !== __filename);
  writeFileSync(file, JSON.stringify({ files, builtins: builtins().slice(before) }));
});
