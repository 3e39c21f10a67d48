// Deletes modules in a copy of the checkout, each with its two lines in src/modules.ts, and checks that the
// rest builds, type-checks and keeps its structure: node scripts/withoutModule.mjs desk. Without a name, it
// does so for each module and for all of them, and runs the tests of the core without any.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const all = readdirSync('src/modules');
const named = process.argv.slice(2);

/** @param {string[]} names */
function copyWithout(names) {
  const copy = mkdtempSync(path.join(tmpdir(), 'mar-modules-'));
  const isSource = (/** @type {string} */ file) =>
    !/^(?:\.git|node_modules|dist|build)$/.test(file);
  for (const file of readdirSync('.').filter(isSource)) {
    cpSync(file, path.join(copy, file), { recursive: true });
  }
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  for (const name of names) {
    for (const folder of ['src', 'test']) {
      rmSync(path.join(copy, folder, 'modules', name), { recursive: true, force: true });
    }
  }
  const list = path.join(copy, 'src/modules.ts');
  const isGone = (/** @type {string} */ line) =>
    names.some((name) => line.includes(`/modules/${name}/`) || line === `  ${name},`);
  const lines = readFileSync(list, 'utf8').split('\n');
  writeFileSync(list, lines.filter((line) => !isGone(line)).join('\n'));
  // Only the program: scripts and tests of other modules may name what is gone.
  const types = path.join(copy, 'tsconfig.json');
  writeFileSync(
    types,
    readFileSync(types, 'utf8').replace('"scripts", "src", "test"', '"scripts/*.d.ts", "src"'),
  );
  return copy;
}

/** @param {string[]} names @param {readonly string[][]} commands */
function check(names, commands) {
  const copy = copyWithout(names);
  try {
    for (const [program = '', ...args] of commands) {
      const { status } = spawnSync(program, args, { cwd: copy, stdio: 'inherit' });
      if (status === 0) continue;
      console.error(`without ${names.join(', ')}: ${[program, ...args].join(' ')} fails`);
      process.exitCode = 1;
      return;
    }
    console.log(`without ${names.join(', ')}: passes`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const checks = [
  ['node', 'scripts/build.mjs'],
  ['npx', 'tsc', '--noEmit'],
  ['node', 'scripts/layers.mjs'],
  ['node', 'bin/mar.js', '--help'],
];
const coreTests = [['npx', 'vitest', 'run', 'test/core']];

if (named.length > 0) check(named, checks);
else {
  for (const name of all) check([name], checks);
  check(all, checks);
  // The tests of the core use the sandbox as their service.
  check(
    all.filter((name) => name !== 'sandbox'),
    [...checks.slice(0, 1), ...coreTests],
  );
}
