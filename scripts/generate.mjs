// Writes the generated files that are committed. With --check it changes nothing, and fails if one of
// them is out of date. Other generated files are part of the build.
import { readFileSync, writeFileSync } from 'node:fs';
import { writeAgentTools } from './generate/agentTools.mjs';
import { documentText, loadSource } from './generate/loadSource.mjs';

/** @type {Record<string, () => Promise<string>>} */
const files = {
  // First, because the other files are made by code that imports it.
  'src/core/api/shapes.json': async () => {
    const { shapesSource } = await loadSource('scripts/generate/shapes.ts');
    return shapesSource();
  },
  'src/core/api/examples.json': async () => {
    const { exampleRecords } = await loadSource('scripts/generate/examples.ts');
    /** @type {[string, unknown][]} */
    const records = Object.entries(exampleRecords());
    const texts = records.map(([name, record]) => [name, JSON.stringify(record)]);
    return documentText(Object.fromEntries(texts));
  },
  'docs/commands.md': async () => {
    const { commandReference } = await loadSource('scripts/generate/commandReference.ts');
    return commandReference();
  },
  'docs/subtitles/formats.md': async () => {
    const { withLimitTables } = await loadSource('scripts/generate/limitTables.ts');
    return withLimitTables(readFileSync('docs/subtitles/formats.md', 'utf8'));
  },
  'docs/decisions.md': async () => {
    const { withServiceFacts } = await loadSource('scripts/generate/serviceTable.ts');
    return withServiceFacts(readFileSync('docs/decisions.md', 'utf8'));
  },
  'docs/exit-codes.md': async () => {
    const { withErrorKinds } = await loadSource('scripts/generate/exitCodeTable.ts');
    return withErrorKinds(readFileSync('docs/exit-codes.md', 'utf8'));
  },
  'package.json': async () => {
    const { manPages } = await loadSource('scripts/generate/manPages.ts');
    const names = Object.keys(await manPages()).map((name) => `    "dist/man/${name}"`);
    // npm installs only man pages that are listed one by one; it ignores directories.man.
    const list = `"man": [\n${names.join(',\n')}\n  ]`;
    return readFileSync('package.json', 'utf8').replace(/"man": \[[^\]]*\]/, list);
  },
};

// Commands import it, and the documents are made from the commands.
await writeAgentTools();
const isCheck = process.argv.includes('--check');
const outdated = [];
for (const [file, make] of Object.entries(files)) {
  const text = await make();
  if (text === readFileSync(file, 'utf8')) continue;
  if (isCheck) outdated.push(file);
  else writeFileSync(file, text);
}
if (outdated.length > 0) {
  console.error(`out of date: ${outdated.join(', ')}\nRun npm run generate to update them.`);
  process.exitCode = 1;
}
