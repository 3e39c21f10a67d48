// Shows the main job from start to end: the built program against a sandbox. Leaves nothing behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/mar.js', import.meta.url));
const folder = await mkdtemp(path.join(tmpdir(), 'mar-demo-'));
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MAR_'))),
  MAR_CONFIG_DIR: path.join(folder, 'config'),
  MAR_STATE_DIR: path.join(folder, 'state'),
  TMPDIR: folder,
};
// Into a pipe, the program prints rows for scripts. The demo is for people.
const tableFlag = process.stdout.isTTY ? '' : ' -o table';

/** @param {string} line */
const print = (line) => process.stdout.write(`${line}\n`);

/**
 * Runs `mar` until it ends. With `quiet`, its output is returned and not printed.
 * @param {string} line the arguments
 * @param {{ quiet?: boolean }} [options]
 */
async function mar(line, { quiet = false } = {}) {
  print(`\n$ mar ${line}`);
  const args = line.split(' ');
  /** @type {import('node:child_process').ChildProcess} */
  const child = spawn(process.execPath, [program, ...args], {
    env,
    cwd: folder,
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', 'pipe'],
  });
  let output = '';
  let notes = '';
  child.stderr?.on('data', (data) => {
    process.stderr.write(data);
    notes += data;
  });
  child.stdout?.on('data', (data) => {
    output += data;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`mar ${line} exited with ${code}`);
  if (/^warning:/m.test(notes)) throw new Error(`mar ${line} printed a warning`);
  return output;
}

const nextWeek = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString().slice(0, 10);
const request = `asset:
  _id: a-1001
language: fra
territory: FRA
due:
  date: ${nextWeek}
  tz: Europe/Paris
dng:
  dialogue: [subtitled]
uses:
  items: [online]
instructions: Keep “Aurelia” untranslated.
`;

try {
  await mar('sandbox --background --login');
  await mar(`asset get a-1001 a-1002 a-1006${tableFlag}`);

  await writeFile(path.join(folder, 'request.yaml'), request);
  print(`\n$ cat request.yaml\n${request.trimEnd()}`);
  const output = await mar('wr create -f request.yaml --columns _id', { quiet: true });
  process.stdout.write(output);
  const id = output.trim().split(/\s+/).at(-1);
  await mar(`wr get ${id}${tableFlag}`);
  await mar(
    `translation submit --set workRequest=${id} --set asset=a-1001 --set language=fra --set status=submitted${tableFlag}`,
  );
  await mar(`downloads list --q trailer --limit 5${tableFlag}`);
  await mar(`notification show n-3001${tableFlag}`);
} finally {
  await mar('sandbox stop');
  await rm(folder, { recursive: true, force: true });
}
