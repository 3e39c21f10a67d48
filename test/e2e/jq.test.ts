import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram, startProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built program alone, as it is where optional packages were left out. */
function withoutPackages(): string {
  const folder = temporaryFolder();
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  }
  mkdirSync(path.join(folder, 'home'));
  return folder;
}

describe('--jq', () => {
  it('explains what to install when jq is missing, and sends nothing', async () => {
    const server = await recordingServer('[]');
    const folder = withoutPackages();
    const which = [process.execPath, path.join(folder, 'bin/mar.js')] as const;
    const env = cleanEnvironment(path.join(folder, 'home'), server.env);
    const { code, stderr } = await runProgram(['file', 'list', '--jq', '.'], env, '', which);
    expect(code, stderr).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('jq-wasm'),
      hint: expect.stringContaining('npm install -g jq-wasm@'),
    });
    expect(server.requests).toEqual([]);
  });

  it('needs no jq for a plain path, whatever it leads to', async () => {
    const server = await recordingServer('{"_id":"a-1","tags":["x"],"rate":1.0}');
    const folder = withoutPackages();
    const which = [process.execPath, path.join(folder, 'bin/mar.js')] as const;
    const env = cleanEnvironment(path.join(folder, 'home'), server.env);
    const run = (filter: string) =>
      runProgram(['asset', 'get', 'a-1', '--jq', filter], env, '', which);
    expect(await run('.tags[0]')).toMatchObject({ code: 0, stdout: 'x\n' });
    expect(await run('.tags')).toMatchObject({ code: 0, stdout: '["x"]\n' });
    expect(await run('.rate')).toMatchObject({ code: 0, stdout: '1.0\n' });
    const { code, stderr } = await run('._id.x');
    expect(code, stderr).toBe(1);
    expect(JSON.parse(stderr).error.kind).toBe('filter');
  });

  it('can be interrupted in a filter that never ends', async () => {
    const server = await recordingServer('{"_id":"a-1"}');
    const argv = ['asset', 'get', 'a-1', '--jq', 'def f: f; f'];
    const child = startProgram(argv, isolated(server.env));
    await server.request();
    // The first may come before the filter starts to run: that ends it as well.
    const ended = once(child, 'exit');
    const nudge = setInterval(() => child.kill('SIGINT'), 200);
    const [code, signal] = await ended;
    clearInterval(nudge);
    expect(signal ?? code).toSatisfy((end) => end === 'SIGINT' || end === 130);
  });
});
