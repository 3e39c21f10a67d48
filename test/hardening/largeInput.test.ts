import { once } from 'node:events';
import { chmodSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetService } from '../harness/assetService.ts';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram, startProgram } from '../harness/program.ts';
import { recordService, type StoredRecords } from '../harness/recordService.ts';
import { isolated } from '../harness/service.ts';

/** Runs the program with a service that has these records. */
async function run(argv: readonly string[], records: StoredRecords = {}) {
  const { env } = await recordService(records);
  return runProgram(argv, isolated(env));
}

const longAsset = (name: string) => JSON.stringify({ _id: 'a-1', name });
const fieldsAsset = (count: number) =>
  JSON.stringify({
    _id: 'a-1',
    name: 'old',
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, `v${index}`])),
  });

const request = (text: string) =>
  JSON.stringify({
    _id: 'wr-1',
    language: 'eng',
    translation: {
      language: 'eng',
      lines: [{ number: 1, startTime: '00:00:01,000', stopTime: '00:00:02,000', text }],
    },
  });

const nested = '<i>x'.repeat(70_000);

describe('a huge value', () => {
  it.each([
    ['of one word', 'x'.repeat(8_000_000)],
    ['of many words', 'word '.repeat(1_600_000)],
    ['of many lines', 'a\n'.repeat(4_000_000)],
    ['with combining marks', 'e\u0301'.repeat(2_000_000)],
  ])('%s is cut on a card, which says so', async (_name, text) => {
    const { env } = await recordService({ '/assets/a-1': longAsset(text) });
    for (const more of [[], ['--columns', 'name']]) {
      const card = await mar(['asset', 'get', 'a-1', '-o', 'table', ...more], { env });
      expect(card).toMatchObject({ code: 0, stderr: '' });
      expect(card.stdout.length).toBeLessThan(1_000_000);
      const lines = card.stdout.replace(/\s+/g, ' ');
      expect(lines).toContain(`${text.length - 20_000} more characters`);
    }
  });

  it('is cut in a table', async () => {
    const records = { '/files?range=0-9': `[${longAsset('é'.repeat(4e6))}]` };
    const table = await run(['api', 'GET', '/files?range=0-9', '-o', 'table'], records);
    expect(table.code, table.stderr).toBe(0);
    expect(table.stdout.length).toBeLessThan(100_000);
  });

  it('stays whole for programs', async () => {
    const text = 'x'.repeat(8_000_000);
    const records = { '/assets/a-1': longAsset(text) };
    const json = await run(['asset', 'get', 'a-1', '--json'], records);
    // Not `toBe`: a difference would be printed whole.
    expect(json.stdout === `${longAsset(text)}\n`).toBe(true);
    const rows = await run(['asset', 'get', 'a-1', '-o', 'tsv'], records);
    expect(rows.stdout.includes(`name\t${text}\n`)).toBe(true);
  });
});

describe('Ctrl-C and SIGTERM end', () => {
  const argv = {
    change: ['asset', 'put', 'a-1', '--set', 'name=new', '--yes'],
    tags: ['translation', 'check', 'wr-1'],
  };
  it.each([
    ['a change of a record with very many fields', argv.change, 'SIGINT', 130],
    ['a check of very many nested tags', argv.tags, 'SIGTERM', 143],
  ] as const)('%s: %j by %s', async (_name, words, signal, code) => {
    const service = await recordService({
      '/assets/a-1': fieldsAsset(200_000),
      '/workrequests/wr-1': request(nested),
    });
    const child = startProgram(words, isolated(service.env));
    const ended = once(child, 'exit');
    // From the first request on: it may be heard while the response is waited for, or end the work.
    while (service.paths.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const nudge = setInterval(() => child.kill(signal), 100);
    const [exitCode, killedBy] = await ended;
    clearInterval(nudge);
    expect([code, signal]).toContain(exitCode ?? killedBy);
  });
});

/** Loaded before the program. The signal comes when nothing that could notice it has run yet. */
const interruptWhenRead = `
const fs = require('node:fs');
const { readFileSync } = fs;
fs.readFileSync = (file, ...more) => {
  if (String(file).endsWith('a.srt')) process.kill(process.pid, 'SIGINT');
  return readFileSync(file, ...more);
};`;

// The one-file program loads nothing before itself.
it.skipIf(process.env.MAR_TEST_PROGRAM).each(['check', 'fix'])(
  'Ctrl-C right before a file is parsed by translation %s ends it',
  async (verb) => {
    const folder = temporaryFolder();
    const [file, hook] = [path.join(folder, 'a.srt'), path.join(folder, 'hook.cjs')];
    writeFileSync(file, '1\n00:00:01,000 --> 00:00:03,000\nHello.\n');
    writeFileSync(hook, interruptWhenRead);
    const env = cleanEnvironment(folder, { NODE_OPTIONS: `--require=${hook}` });
    expect(await runProgram(['translation', verb, file], env)).toMatchObject({
      code: 130,
      stdout: '',
    });
  },
);

it.each([
  ['nested tags', nested, `<i>${'x'.repeat(70_000)}</i>`],
  ['line breaks', `<i>x</i>${'<br>'.repeat(100_000)}<i>y</i>`, '<i>x\ny</i>'],
])('very many %s do not take the square of their number', async (_name, text, exported) => {
  const exportSrt = ['translation', 'export', 'wr-1', '--format', 'srt'];
  const { code, stdout, stderr } = await run(exportSrt, { '/workrequests/wr-1': request(text) });
  expect(code, stderr).toBe(0);
  expect(stdout.includes(exported)).toBe(true);
});

const timecode = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
const subtitles = (count: number, from: number, words: string) =>
  Array.from({ length: count }, (_, index) => {
    const start = from + index * 400;
    return `${index + 1}\n${timecode(start)} --> ${timecode(start + 300)}\n${words} ${index}\n`;
  }).join('\n');

it('two large subtitle files that have nothing in common are compared', async () => {
  const count = 30_000;
  const old = temporaryFile(subtitles(count, 0, 'old'), 'a.srt');
  const other = temporaryFile(subtitles(count, 40_000_000, 'new'), 'b.srt');
  const { code, stderr } = await run(['translation', 'diff', old, other]);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`${count} removed; ${count} added`);
});

describe('a record with very many fields', () => {
  const count = 50_000;

  it('can be edited', async () => {
    const service = await assetService(fieldsAsset(count));
    const editor = temporaryFile('#!/bin/sh\nsed -i \'s/old/new/\' "$1"\n', 'editor');
    chmodSync(editor, 0o700);
    const env = isolated({ ...service.env, EDITOR: editor });
    const { code, stderr } = await runProgram(['asset', 'edit', 'a-1', '--yes'], env);
    expect(code, stderr).toBe(0);
    expect(service.text === fieldsAsset(count).replace('old', 'new')).toBe(true);
  });

  it('can be read from YAML', async () => {
    const lines = Array.from({ length: count }, (_, index) => `k${index}: v${index}\n`);
    const file = temporaryFile(`_id: a-1\n${lines.join('')}`, 'asset.yaml');
    const service = await assetService('{"_id":"a-1"}');
    const argv = ['asset', 'put', '-f', file, '--yes'];
    const { code, stderr } = await runProgram(argv, isolated(service.env));
    expect(code, stderr).toBe(0);
    expect(Object.keys(JSON.parse(service.text))).toHaveLength(count + 1);
  });

  it('and elements in another order is one change', async () => {
    const previews = Array.from({ length: count }, (_, index) => ({ _id: `p-${index}` }));
    const asset = (list: unknown[]) => JSON.stringify({ _id: 'a-1', previews: list });
    const file = temporaryFile(asset(previews.toReversed()), 'asset.json');
    const service = await assetService(asset(previews));
    const argv = ['asset', 'put', '-f', file, '--dry-run', '--jq', '.changes | map(.path)'];
    const { stdout, stderr } = await runProgram(argv, isolated(service.env));
    expect(stdout, stderr).toBe('["previews"]\n');
  });
});

describe('a batch row', () => {
  const record = (length: number) =>
    JSON.stringify({ asset: 'a-1', auto: true, language: 'fra', instructions: 'x'.repeat(length) });
  const table = (cell: string) => `asset,auto,language,instructions\na-1,yes,fra,${cell}\n`;
  const check = (name: string, content: string) =>
    run(['wr', 'create', '--batch', temporaryFile(content, name), '--check']);

  it.each([
    ['a JSON line of 30 MB', 'a.jsonl', () => `${record(30_000_000)}\n`],
    ['an array element of 30 MB', 'a.json', () => `[${record(30_000_000)}]`],
    ['a table row of 17 MB', 'a.csv', () => table('x'.repeat(17_000_000))],
    ['a quoted cell of 17 MB', 'a.csv', () => table(`"${'x'.repeat(17_000_000)}""x"`)],
    ['one after 30 MB of blanks', 'a.jsonl', () => `${'         \n'.repeat(3e6)}${record(9)}`],
  ])('is read: %s', async (_name, file, content) => {
    const { code, stdout, stderr } = await check(file, content());
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).toMatch(/\b1 row\b/);
  });

  it('without a closing quote is refused by its line', async () => {
    const { code, stderr } = await check('a.csv', `language\nfra\n"${'x'.repeat(33_000_000)}`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/a\.csv, line 3: .*closing quote/)]);
  });

  it.each(['a.jsonl', 'a.csv'])('in a file beyond the limit is refused: %s', async (name) => {
    const file = temporaryFile('', name);
    truncateSync(file, 251_000_000);
    const { code, stderr } = await run(['wr', 'create', '--batch', file, '--check']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/larger than 250 MB\n.*Split/)]);
  });

  it('of very many columns of one list is read', async () => {
    const columns = Array.from({ length: 90_000 }, (_, at) => `tags[${at}]`).join(',');
    const cells = Array(90_000).fill('t').join(',');
    const { code, stderr } = await check('a.csv', `language,${columns}\nfra,${cells}\n`);
    expect(code, stderr).toBe(8);
  });
});
