// In an editor's place: changes the name in the file it is given.
const { readFileSync, writeFileSync } = require('node:fs');

const file = process.argv.at(-1) ?? '';
writeFileSync(file, readFileSync(file, 'utf8').replace(/^(name: ?).*/m, '$1Mine'));
