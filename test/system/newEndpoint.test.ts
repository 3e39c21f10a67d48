import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { copyOfCheckout } from './checkout.ts';

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
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(command, argv, options);
  expect(status, `${command} ${argv.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
}

/** The command file of the closest existing command, for the new endpoint. */
function newCommand(folder: string): string {
  const source = readFileSync(path.join(folder, 'src/core/commands/notification/show.ts'), 'utf8');
  return source
    .replaceAll('mar notification show n-3001', 'mar downloads get d-5001')
    .replaceAll('notification', 'download');
}

it('needs its entry, its command, its request bytes and npm run generate, and nothing else', {
  timeout: 900_000,
}, () => {
  const folder = copyOfCheckout();
  replaceIn(
    folder,
    'src/core/api/endpoints.ts',
    '  notificationGet: get(',
    `  downloadGet: get('/downloads/{id}', 'download', 'Read a download'),
  notificationGet: get(`,
  );
  writeFileSync(path.join(folder, 'src/core/commands/downloads/get.ts'), newCommand(folder));
  replaceIn(
    folder,
    'src/program/table.ts',
    "        list: () => import('../core/commands/downloads/list.ts'),",
    `        list: () => import('../core/commands/downloads/list.ts'),
        get: () => import('../core/commands/downloads/get.ts'),`,
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
  const tests = ['test/contract', 'test/modules/sandbox/registry.test.ts', 'test/core/api'];
  run(folder, 'npx', 'vitest', 'run', '--testTimeout=120000', ...tests);
});
