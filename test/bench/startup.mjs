// Start-up, as ratios in one run: absolute times depend on the machine and on what else it does.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measure, program, rounds, startService } from './measure.mjs';

const bareGet = `
import http from 'node:http';
http.get(process.argv[2] + '/assets/a-1001', { headers: { Accept: 'application/json' } }, (answer) => {
  let body = '';
  answer.setEncoding('utf8').on('data', (data) => { body += data; });
  answer.on('end', () => process.stdout.write(body));
});
`;

const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const { baseUrl, stop } = await startService();
const bareScript = path.join(folder, 'get.mjs');
writeFileSync(bareScript, bareGet);
const env = {
  ...process.env,
  MAR_CONFIG_DIR: folder,
  MAR_BASE_URL: baseUrl,
  MAR_EMAIL: 'ines@northlight.example',
  MAR_TOKEN: 'token',
};

/** What is run, and what it is held against. */
const cases = [
  { name: 'node -e 0', argv: ['-e', '0'] },
  { name: 'bare node:http GET', argv: [bareScript, baseUrl] },
  { name: 'mar --version', argv: [program, '--version'], against: 'node -e 0', target: 1.15 },
  { name: 'mar --help', argv: [program, '--help'], against: 'node -e 0' },
  {
    name: 'mar asset get --json',
    argv: [program, 'asset', 'get', 'a-1001', '--json'],
    against: 'bare node:http GET',
    target: 1.3,
  },
];

try {
  const median = measure(cases.map((one) => ({ ...one, env })));
  console.log(`Start-up: Node ${process.version}, ${rounds} rounds, median times`);
  for (const { name, against, target } of cases) {
    const ratio = against ? `${(median(name) / median(against)).toFixed(2)} × ${against}` : '';
    const aim = target ? ` (aim: ${target})` : '';
    console.log(`  ${name.padEnd(22)} ${median(name).toFixed(0).padStart(5)} ms  ${ratio}${aim}`);
  }
} finally {
  stop();
  rmSync(folder, { recursive: true, force: true });
}
