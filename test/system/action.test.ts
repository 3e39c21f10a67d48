import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../harness/mar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = '#!/bin/sh\necho 1.0.0\n';
const name = 'mar-1.0.0-linux-x64';
const sumOf = (content: string) => createHash('sha256').update(content).digest('hex');

interface Step {
  env: Record<string, string>;
  run: string;
}

/** Runs the step of the action as a runner does, with releases on this machine. */
async function install({ sums = `${sumOf(program)}  ${name}\n`, inputs = {}, runner = {} } = {}) {
  const files: Record<string, string> = { '/v1.0.0/SHA256SUMS': sums };
  files[`/v1.0.0/${name}`] = program;
  const server = createServer(({ url = '' }, response) => {
    const content = files[url];
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };

  const given: Record<string, string> = { version: '1.0.0', 'base-url': '', email: '', token: '' };
  Object.assign(given, inputs);
  const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8'));
  expect(Object.keys(action.inputs)).toEqual(Object.keys(given));
  const [step] = action.runs.steps as [Step];
  const fill = (value: string) =>
    value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => given[input] ?? '');
  const folder = temporaryFolder();
  const lists = { GITHUB_PATH: path.join(folder, 'path'), GITHUB_ENV: path.join(folder, 'env') };
  for (const list of Object.values(lists)) writeFileSync(list, '');
  const child = spawn('bash', ['-e', '-c', step.run], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(Object.entries(step.env).map(([key, value]) => [key, fill(value)])),
      ...lists,
      RELEASES: `http://127.0.0.1:${port}`,
      GITHUB_ACTION_PATH: root,
      RUNNER_TEMP: folder,
      RUNNER_OS: 'Linux',
      RUNNER_ARCH: 'X64',
      ...runner,
    },
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const read = (list: keyof typeof lists) => readFileSync(lists[list], 'utf8').trim();
  return { code, output, path: read('GITHUB_PATH'), env: read('GITHUB_ENV') };
}

test('the action puts the checked program on the PATH, and sets what it was given', async () => {
  const inputs = { version: 'v1.0.0', 'base-url': 'https://media.example/api', token: 'secret-1' };
  const result = await install({ inputs });
  expect(result).toMatchObject({
    code: 0,
    output: '::add-mask::secret-1\n',
    env: 'MAR_BASE_URL=https://media.example/api\nMAR_TOKEN=secret-1',
  });
  const { stdout } = spawn(path.join(result.path, 'mar'));
  expect(await text(stdout)).toBe('1.0.0\n');
});

test('the action passes no variable that its script does not use, and no token of the job', () => {
  const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8'));
  const [step] = action.runs.steps as [Step];
  const script = readFileSync(path.join(root, 'scripts/installRelease.sh'), 'utf8');
  for (const name of Object.keys(step.env)) expect(script).toMatch(new RegExp(`\\$\\{?${name}\\b`));
  expect(JSON.stringify(action)).not.toContain('github.token');
});

test.each([
  ['another checksum', { sums: `${sumOf('other')}  ${name}\n` }, 'does not have the checksum'],
  ['no checksum', { sums: `${sumOf(program)}  other\n` }, 'does not have the checksum'],
  ['a word as version', { inputs: { version: 'latest' } }, 'Give a version such as 0.1.0'],
  ['a command in the version', { inputs: { version: '1.0.0\n::add-mask::a' } }, 'Give a version'],
  ['a command as checksum', { sums: `0  ${name}\n::add-mask::a  ${name}\n` }, 'have the checksum'],
  ['a token of two lines', { inputs: { token: 'a\nB=1' } }, 'MAR_TOKEN has more than one line'],
  ['an unknown system', { runner: { RUNNER_OS: 'Plan9' } }, 'there is no mar for Plan9'],
])('the action stops at %s', async (_what, input, message) => {
  const result = await install(input);
  expect(result.code).toBe(1);
  expect(result.output).toContain(`::error::`);
  expect(result.output).toContain(message);
  expect(result.output).not.toMatch(/^::add-mask/m);
  expect(result.env).toBe('');
  expect(existsSync(path.join(result.path || '/nowhere', name))).toBe(false);
});
