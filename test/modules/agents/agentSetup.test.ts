import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { outputWords } from '../../words/output.ts';

const skill = readFileSync(new URL('../../../skills/mar/SKILL.md', import.meta.url), 'utf8');

it('mcp refuses a folder that is none, and other ways to write', async () => {
  expect(await refused(['mcp', '--allow-writes=always'])).toContain('always');
  expect(await refused(['mcp', '--root', temporaryFile('', 'file')])).toMatch(/--root \S+\/file /);
});

it('mcp has no end, and refuses a file for its result', async () => {
  const file = path.join(temporaryFolder(), 'a.json');
  expect(await refused(['mcp', '-O', file])).toContain(outputWords.endless);
});

it('skill prints a skill with a name and a description, of at most 4.5 kB', async () => {
  const { stdout } = await marOk(['skill']);
  expect(stdout).toBe(skill);
  expect(stdout).toMatch(/^---\nname: mar\ndescription: .{50,1024}\n---\n/);
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(4500);
});

it('skill --json prints the skill as JSON, and --jq filters that', async () => {
  const { stdout } = await marOk(['skill', '--json']);
  expect(JSON.parse(stdout)).toEqual({ skill });
  expect((await marOk(['skill', '--jq', '.skill'])).stdout.trimEnd()).toBe(skill.trimEnd());
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

it('skill -O writes the skill, and replaces no other file unless told to', async () => {
  const file = path.join(temporaryFolder(), 'SKILL.md');
  await marOk(['skill', '-O', file]);
  expect(readFileSync(file, 'utf8')).toBe(skill);
  writeFileSync(file, 'mine');
  expect(await refused(['skill', '-O', file])).toMatch(/--overwrite/);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});
