// Start-up times, as ratios: absolute times depend on the machine and its load.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchNode, nodeMajors } from '../nodeVersions.mjs';
import { measure, program, rounds, startService } from './support/measure.mjs';

const bareGet = `
import http from 'node:http';
http.get(process.argv[2] + '/assets/a-1001', { headers: { Accept: 'application/json' } }, (response) => {
  let body = '';
  response.setEncoding('utf8').on('data', (data) => { body += data; });
  response.on('end', () => process.stdout.write(body));
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
 * A command to run, its baseline, and the largest ratio to aim for.
 * @typedef {{ name: string, command?: string, argv: readonly string[], env: NodeJS.ProcessEnv,
 *   against?: string, target?: number }} Case
 */

/** @param {string} node */
const casesOn = (node) => [
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
  ].map((marCase) => ({
    env: home,
    ...marCase,
    command: node,
    argv: [program, ...marCase.argv],
  })),
];

/** @param {string} command */
const isInstalled = (command) => spawnSync(command, ['--version']).status === 0;

/** Well-known programs, if they are installed, next to mar and the one-file program. */
const casesOfOthers = () => {
  const others = [
    { name: 'curl', command: 'curl', argv: ['-s', url], env: home },
    { name: 'gh --version', command: 'gh', argv: ['--version'], env: home },
    { name: 'HTTPie GET', command: 'http', argv: ['--ignore-stdin', '--body', url], env: home },
  ].filter(({ command }) => isInstalled(command));
  const ifInstalled = (/** @type {string} */ name) =>
    others.find((other) => other.name === name)?.name;
  const binaryCases = [
    {
      name: 'one file: --version',
      argv: ['--version'],
      against: ifInstalled('gh --version'),
      target: 0.6,
    },
    { name: 'one file: asset get', argv: get, against: ifInstalled('HTTPie GET'), target: 0.4 },
  ].map((binaryCase) => ({ ...binaryCase, command: binary, env: withToken }));
  return [
    ...others,
    {
      name: 'mar asset get',
      argv: [program, ...get],
      env: withToken,
      against: ifInstalled('HTTPie GET'),
    },
    ...(existsSync(binary) ? binaryCases : []),
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
  for (const major of nodeMajors) report(`Node ${major}`, casesOn(fetchNode(major)));
  if (!existsSync(binary))
    console.log('  (run npm run build:binary to measure the one-file program)');
  report('beside others', casesOfOthers());
} finally {
  stop();
  rmSync(folder, { recursive: true, force: true });
}
