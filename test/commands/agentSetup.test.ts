import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { marOk, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';

const skill = readFileSync(new URL('../../skills/mar/SKILL.md', import.meta.url), 'utf8');

it('mcp --print-config prints what the settings of each client need', async () => {
  const args = ['mcp', '--profile', 'staging', '--allow-writes'];
  const server = { command: 'mar', args };
  const print = (client: string) => marOk([...args, '--print-config', client]);
  for (const [client, settings] of Object.entries({
    claude: { mcpServers: { mar: server } },
    cursor: { mcpServers: { mar: server } },
    vscode: { servers: { mar: server } },
    json: server,
  })) {
    expect(JSON.parse((await print(client)).stdout)).toEqual(settings);
  }
  expect((await print('vscode')).stderr).toBe('For .vscode/mcp.json:\n');
  expect((await print('codex')).stdout).toBe(
    '[mcp_servers.mar]\ncommand = "mar"\nargs = ["mcp","--profile","staging","--allow-writes"]\n',
  );
});

it('mcp --print-config keeps what the agent may do, and where', async () => {
  const flags = ['--allow-writes=asked', '--all-tools', '--root', '.'];
  const { stdout } = await marOk(['mcp', '--print-config', 'json', ...flags]);
  const args = ['mcp', ...flags.slice(0, 3), path.resolve()];
  expect(JSON.parse(stdout)).toEqual({ command: 'mar', args });
  expect(await refused(['mcp', '--allow-writes=always'])).toContain('always');
  expect(await refused(['mcp', '--root', temporaryFile('', 'file')])).toMatch(/--root \S+\/file /);
});

it('skill prints a skill with a name and a description, of at most 4.5 kB', async () => {
  const { stdout } = await marOk(['skill']);
  expect(stdout).toBe(skill);
  expect(stdout).toMatch(/^---\nname: mar\ndescription: .{50,1024}\n---\n/);
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(4500);
});

it('every example of the skill has a result for programs', () => {
  const blocks = [...skill.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, code = '']) =>
    code.trim().split('\n'),
  );
  expect(blocks.length).toBeGreaterThan(15);
  // A template, a table of fields and subtitles are no JSON.
  const texts = /--template$|^mar schema wr -o tsv$|^mar translation fix .* -O - /;
  expect(blocks.filter((line) => !/ --(?:json|jq)\b/.test(line) && !texts.test(line))).toEqual([]);
});

it('skill --install writes the skill, and replaces no other file unless told to', async () => {
  const folder = path.join(temporaryFolder(), 'skills');
  const file = path.join(folder, 'mar', 'SKILL.md');
  const install = ['skill', '--install', folder];
  expect((await marOk(install)).stderr).toBe(`Installed ${file}\n`);
  expect(readFileSync(file, 'utf8')).toBe(skill);
  await marOk(install);
  writeFileSync(file, 'mine');
  expect(await refused(install)).toMatch(new RegExp(`^error: ${file} .*\n.*--overwrite`));
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await marOk([...install, '--overwrite']);
  expect(readFileSync(file, 'utf8')).toBe(skill);
  expect(await refused(['skill', '--install', file])).toContain(`${file}/mar/SKILL.md`);
});
