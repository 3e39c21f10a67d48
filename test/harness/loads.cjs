// Loaded before the program: when it ends, writes down what it has loaded.
const { writeFileSync } = require('node:fs');

/** Node's own modules; what this file itself needs is not counted. */
const builtins = () =>
  /** @type {{ moduleLoadList: string[] }} */ (/** @type {unknown} */ (process)).moduleLoadList;

const before = builtins().length;
process.on('exit', () => {
  const file = process.env.LOADS_FILE;
  if (!file) return;
  const files = Object.keys(require.cache).filter((name) => name !== __filename);
  writeFileSync(file, JSON.stringify({ files, builtins: builtins().slice(before) }));
});
