import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { otherService } from '../harness/otherService.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';
import { loggedInSandbox } from '../harness/service.ts';

describe('mar sandbox', () => {
  it('shows what it takes to use it, serves its page, and is gone without a trace', async () => {
    const { folder, sandbox } = await loggedInSandbox();
    const { child, ...printed } = sandbox;
    expect(Object.keys(printed).join()).toBe(
      'running,baseUrl,pid,email,password,dataDir,faults,records,examples',
    );
    expect(existsSync(sandbox.dataDir)).toBe(true);
    const { origin } = new URL(sandbox.baseUrl);
    const html = await (await fetch(`${origin}/`)).text();
    const names = [...html.matchAll(/(?:src|href)="(\/_sandbox\/[^"]+)"/g)].map(([, name]) => name);
    expect(names).toContain('/_sandbox/page.js');
    for (const name of names) {
      const response = await fetch(origin + name);
      const source = await response.text();
      expect([name, response.status]).toEqual([name, 200]);
      for (const [, imported] of source.matchAll(/from '\.\/([^']+)'/g))
        names.push(`/_sandbox/${imported}`);
    }
    const stderr = text(child.stderr);
    // Node would open a debugger.
    child.kill('SIGUSR1');
    expect((await fetch(`${origin}/`)).status).toBe(200);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect([code, await stderr]).toEqual([143, '']);
    expect(readdirSync(folder).filter((name) => name.startsWith('mar-sandbox'))).toEqual([]);
  });

  it('runs in the background until it is stopped, and starts again with the same data', async () => {
    const folder = temporaryFolder();
    const env = cleanEnvironment(folder);
    const stop = () => runProgram(['sandbox', 'stop'], env);
    onTestFinished(async () => void (await stop()));
    const start = ['sandbox', '--background', '--login', '--port', '0'];
    const first = await runProgram(start, env);
    const stderr = expect.stringMatching(/^\S.* "sandbox"\n$/);
    expect(first).toMatchObject({ code: 0, stderr });
    for (const part of ['mar sandbox stop', 'wr-2001', 'a-1001', 'mar today --profile sandbox']) {
      expect(first.stdout).toContain(part);
    }
    const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];
    const created = await runProgram(create, env);
    expect(created.code, created.stderr).toBe(0);
    const again = await runProgram([...start, '--json'], env);
    const { baseUrl, examples } = JSON.parse(again.stdout);
    expect(examples.Asset.slice(0, 2)).toEqual(['a-1001', 'a-1002']);
    expect(first.stdout).toContain(baseUrl);
    expect((await stop()).stdout).toContain(` ${baseUrl}\n`);
    const stopped = await runProgram(['sandbox', 'status', '--jq', '.running'], env);
    expect(stopped.stdout).toBe('false\n');
    await expect(fetch(baseUrl)).rejects.toThrow();

    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const failed = await runProgram(['sandbox', '--background', '--port', `${port}`], env);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toMatch(`error: port ${port} `);

    expect((await runProgram(start, env)).code).toBe(0);
    const { _id } = JSON.parse(created.stdout);
    const read = await runProgram(['wr', 'get', _id, '--json'], env);
    expect(JSON.parse(read.stdout).created).toBe(JSON.parse(created.stdout).created);
  });

  it('in the background behaves like the described service, and tells the profile', async () => {
    const folder = temporaryFolder();
    const env = cleanEnvironment(folder);
    onTestFinished(async () => void (await runProgram(['sandbox', 'stop'], env)));
    const { file } = otherService;
    const start = ['sandbox', '--background', '--login', '--port', '0'];
    const first = await runProgram([...start, '--service', file], env);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    const { profiles } = JSON.parse(readFileSync(`${folder}/config/config.json`, 'utf8'));
    expect(profiles.sandbox.serviceFile).toBe(file);
    const read = await runProgram(['wr', 'get', 'wr-2002', '--jq', '.status'], env);
    expect(read.stdout).toBe('needs-files\n');
    const again = await runProgram([...start, '--service', file], env);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect((await runProgram(start, env)).code).toBe(0);
    const status = await runProgram(['sandbox', 'status', '--jq', '.service'], env);
    expect(status.stdout).toBe(`${file}\n`);
  });
});
