// Runs every benchmark, also after one that missed its aim. BENCH_ROUNDS, BENCH_RECORDS, BENCH_ROWS,
// BENCH_LINES and BENCH_SECONDS set the sizes. With BENCH_LIMITS=off, a missed aim is no failure.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('bench/', import.meta.url);

for (const name of readdirSync(folder).filter((file) => file.endsWith('.mjs'))) {
  const script = fileURLToPath(new URL(name, folder));
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
