// Runs the benchmarks that are named (`npm run bench -- startup batch`), or all, also after one that missed
// its aim. BENCH_ROUNDS, BENCH_RECORDS, BENCH_ROWS, BENCH_LINES and BENCH_SECONDS set the sizes. With
// BENCH_LIMITS=off, a missed aim is no failure.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('bench/', import.meta.url);
const parts = readdirSync(folder).flatMap((file) => file.match(/^(.*)\.mjs$/)?.[1] ?? []);
const named = process.argv.slice(2);
const unknown = named.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are: ${parts.join(', ')}`);
  process.exit(2);
}

for (const name of named.length > 0 ? named : parts) {
  const script = fileURLToPath(new URL(`${name}.mjs`, folder));
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
