// The time from Tab to the candidates, and the cost of remembering ids.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, program, rounds, startService } from './support/measure.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const { baseUrl, stop } = await startService();
symlinkSync(program, path.join(folder, 'mar'));
const script = fileURLToPath(new URL('../../completions/mar.bash', import.meta.url));
// mar remembers nothing for a token from the environment, so the account is in a profile.
const email = 'ines@northlight.example';
const tokenFile = path.join(folder, 'token');
writeFileSync(tokenFile, 'token', { mode: 0o600 });
const profiles = { default: { baseUrl, email, tokenFile } };
writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ profiles }));
const env = {
  ...process.env,
  PATH: `${folder}:${path.dirname(process.execPath)}:${process.env.PATH}`,
  MAR_CONFIG_DIR: folder,
  MAR_STATE_DIR: folder,
};
const withoutState = { ...env, MAR_STATE_DIR: '/dev/null/state' };
const { host, pathname } = new URL(baseUrl);
const memory = path.join(
  folder,
  'memory',
  `${encodeURIComponent(`${host}${pathname} ${email}`)}.jsonl`,
);
mkdirSync(path.dirname(memory));
const entries = Array.from({ length: 300 }, (_, at) => [
  'Asset',
  `a-${at}`,
  `Trailer ${at} – ü`,
  at,
]);
writeFileSync(memory, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));

const line = 'mar asset get a-';
const pressTab = `source ${script}; COMP_LINE='${line}'; COMP_POINT=${line.length}; COMP_TYPE=63; _mar 2>/dev/null; [ "\${#COMPREPLY[@]}" -gt 299 ]`;
const get = [program, 'asset', 'get', 'a-1001', '--json'];

const cases = [
  { name: 'node -e 0', argv: ['-e', '0'], env },
  {
    name: 'Tab: a command',
    argv: [program, 'complete-words', 'fish', 'ass'],
    env,
    against: 'node -e 0',
    target: 1.5,
  },
  {
    name: 'Tab: 300 ids',
    argv: [program, 'complete-words', 'fish', 'asset', 'get', ''],
    env,
    against: 'node -e 0',
    target: 1.5,
  },
  {
    name: 'Tab: 300 ids, in bash',
    command: 'bash',
    argv: ['--norc', '-c', pressTab],
    env,
    against: 'node -e 0',
    target: 1.5,
  },
  { name: 'get, not remembered', argv: get, env: withoutState },
  { name: 'get, remembered', argv: get, env, against: 'get, not remembered' },
];

try {
  const median = measure(cases);
  console.log(`Completion: Node ${process.version}, ${rounds} rounds, median times`);
  for (const { name, against, target } of cases) {
    const ratio = against ? `${(median(name) / median(against)).toFixed(2)} × ${against}` : '';
    const aim = target ? ` (aim: ${target})` : '';
    console.log(`  ${name.padEnd(22)} ${median(name).toFixed(0).padStart(5)} ms  ${ratio}${aim}`);
  }
} finally {
  stop();
  rmSync(folder, { recursive: true, force: true });
}
