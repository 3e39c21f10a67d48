import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Copies every file that is or could be committed, so that uncommitted work is tested as well. */
function copyOfCheckout(): string {
  const folder = temporaryFolder();
  const flags = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', flags, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const name of names.filter((one) => one !== '' && existsSync(path.join(root, one)))) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    cpSync(path.join(root, name), path.join(folder, name));
  }
  // A folder of links, because .gitignore does not match node_modules as a link.
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name === '.cache') continue;
    const target = realpathSync(path.join(root, 'node_modules', name));
    symlinkSync(target, path.join(folder, 'node_modules', name));
  }
  // Lint reads .gitignore only in a repository.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

function replaceIn(folder: string, name: string, before: string, after: string): void {
  const file = path.join(folder, name);
  const source = readFileSync(file, 'utf8');
  expect(source, `${name} should contain ${before}`).toContain(before);
  writeFileSync(
    file,
    source.replace(before, () => after),
  );
}

function run(folder: string, command: string, ...argv: string[]): void {
  const told = Object.entries(process.env).filter(([name]) => !/^(?:npm_|VITEST)/i.test(name));
  const env = { ...Object.fromEntries(told), NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(command, argv, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(status, `${command} ${argv.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
}

/** The command file of the closest existing command, for the new endpoint. */
function newCommand(folder: string): string {
  const source = readFileSync(path.join(folder, 'src/commands/notification/show.ts'), 'utf8');
  return source
    .replaceAll('mar notification show n-3001', 'mar downloads get d-5001')
    .replaceAll("name: 'show'", "name: 'get'")
    .replaceAll('notification', 'download');
}

it('needs its entry, its command, its request bytes and npm run generate, and nothing else', {
  timeout: 900_000,
}, () => {
  const folder = copyOfCheckout();
  replaceIn(
    folder,
    'src/api/endpoints.ts',
    '  notificationGet: get(',
    `  downloadGet: get('/downloads/{id}', 'download', 'Read a download'),
  notificationGet: get(`,
  );
  writeFileSync(path.join(folder, 'src/commands/downloads/get.ts'), newCommand(folder));
  replaceIn(
    folder,
    'src/commands/table.ts',
    "        list: () => import('./downloads/list.ts'),",
    `        list: () => import('./downloads/list.ts'),
        get: () => import('./downloads/get.ts'),`,
  );
  replaceIn(
    folder,
    'test/contract/wire.ts',
    '  notificationGet: {\n',
    `  downloadGet: {
    argv: ['downloads', 'get', 'd-5001'],
    line: 'GET /api/downloads/d-5001',
    answer: '{}',
  },
  notificationGet: {
`,
  );
  run(folder, 'npm', 'run', 'fix');
  run(folder, 'npm', 'run', 'generate');
  run(folder, 'npm', 'run', 'check');
  const tests = ['test/contract', 'test/sandbox/registry.test.ts', 'test/api'];
  run(folder, 'npx', 'vitest', 'run', '--testTimeout=120000', ...tests);
});
