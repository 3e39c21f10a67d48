// Start-up, as ratios in one run: absolute times depend on the machine and on what else it does.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchNode, nodeMajors } from '../harness/nodes.mjs';
import { measure, program, rounds, startService } from './measure.mjs';

const bareGet = `
import http from 'node:http';
http.get(process.argv[2] + '/assets/a-1001', { headers: { Accept: 'application/json' } }, (answer) => {
  let body = '';
  answer.setEncoding('utf8').on('data', (data) => { body += data; });
  answer.on('end', () => process.stdout.write(body));
});
`;

const binary = fileURLToPath(new URL('../../build/mar', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const { baseUrl, stop } = await startService();
const bareScript = path.join(folder, 'get.mjs');
writeFileSync(bareScript, bareGet);
const tokenFile = path.join(folder, 'token');
writeFileSync(tokenFile, 'token\n', { mode: 0o600 });

const url = `${baseUrl}/assets/a-1001`;
const home = {
  ...process.env,
  MAR_CONFIG_DIR: folder,
  MAR_STATE_DIR: folder,
  MAR_CACHE_DIR: folder,
};
const account = { ...home, MAR_BASE_URL: baseUrl, MAR_EMAIL: 'ines@northlight.example' };
const withToken = { ...account, MAR_TOKEN: 'token' };
const withFile = { ...account, MAR_TOKEN_FILE: tokenFile };
const get = ['asset', 'get', 'a-1001', '--json'];

/**
 * What is run, what it is held against and what it must not exceed.
 * @typedef {{ name: string, command?: string, argv: readonly string[], env: NodeJS.ProcessEnv,
 *   against?: string, target?: number }} Case
 */

/** @param {string} node */
const onNode = (node) => [
  { name: 'node -e 0', command: node, argv: ['-e', '0'], env: home },
  { name: 'bare node:http GET', command: node, argv: [bareScript, baseUrl], env: home },
  ...[
    { name: 'mar --version', argv: ['--version'], against: 'node -e 0', target: 1.12 },
    { name: 'mar --help', argv: ['--help'], against: 'node -e 0' },
    {
      name: 'mar asset get',
      argv: get,
      env: withToken,
      against: 'bare node:http GET',
      target: 1.2,
    },
    { name: 'the same, token in a file', argv: get, env: withFile, against: 'bare node:http GET' },
  ].map((one) => ({ env: home, ...one, command: node, argv: [program, ...one.argv] })),
];

/** @param {string} command */
const isInstalled = (command) => spawnSync(command, ['--version']).status === 0;

/** The programs that people know, where they are installed, and the one-file program. */
const besideOthers = () => {
  const others = [
    { name: 'curl', command: 'curl', argv: ['-s', url], env: home },
    { name: 'gh --version', command: 'gh', argv: ['--version'], env: home },
    { name: 'HTTPie GET', command: 'http', argv: ['--ignore-stdin', '--body', url], env: home },
  ].filter(({ command }) => isInstalled(command));
  const there = (/** @type {string} */ name) => others.find((one) => one.name === name)?.name;
  const single = [
    {
      name: 'one file: --version',
      argv: ['--version'],
      against: there('gh --version'),
      target: 0.6,
    },
    { name: 'one file: asset get', argv: get, against: there('HTTPie GET'), target: 0.4 },
  ].map((one) => ({ ...one, command: binary, env: withToken }));
  return [
    ...others,
    {
      name: 'mar asset get',
      argv: [program, ...get],
      env: withToken,
      against: there('HTTPie GET'),
    },
    ...(existsSync(binary) ? single : []),
  ];
};

/**
 * @param {string} title
 * @param {readonly Case[]} cases
 */
function report(title, cases) {
  const median = measure(cases);
  console.log(`Start-up: ${title}, ${rounds} rounds, median times`);
  for (const { name, against, target } of cases) {
    const ratio = against ? `${(median(name) / median(against)).toFixed(2)} × ${against}` : '';
    const aim = against && target ? ` (aim: ${target})` : '';
    console.log(`  ${name.padEnd(26)} ${median(name).toFixed(0).padStart(5)} ms  ${ratio}${aim}`);
  }
}

try {
  for (const major of nodeMajors) report(`Node ${major}`, onNode(fetchNode(major)));
  if (!existsSync(binary)) console.log('  (npm run build:binary makes the one-file program)');
  report('beside others', besideOthers());
} finally {
  stop();
  rmSync(folder, { recursive: true, force: true });
}
