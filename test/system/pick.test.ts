import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetService } from '../harness/assetService.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { program } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { remembered } from '../harness/storedAccount.ts';
import { openTerminal } from '../harness/terminal.ts';
import { lookupWords } from '../words/lookup.ts';

const record = '{"_id":"a-1","name":"Älpha","usage":{"online":true}}';

/** A terminal on whose machine three assets were used, a-1 first. */
async function terminalWithAssets(more: Record<string, string> = {}) {
  const service = await assetService(record);
  const env = isolated({ ...service.env, ...more });
  await remembered(env, 'Asset', { 'a-1': 'Älpha \u001b[31mred', 'a-2': 'Beta', 'a-3': 'Gamma' });
  return { service, terminal: openTerminal(env) };
}

describe('a command without its id', () => {
  it('offers recent records, filtered while you type, and runs with the chosen one', async () => {
    const { terminal } = await terminalWithAssets();
    terminal.type('mar asset get; echo "code $?"');
    const screen = await terminal.until(lookupWords.which('asset'));
    expect(screen).toMatch(/a-3 +Gamma[\s\S]*a-2 +Beta[\s\S]*a-1 +Älpha ␛\[31mred/);
    terminal.press('A', 'L', 'P', 'H', 'A');
    await terminal.until('ALPHA');
    terminal.press('Enter');
    const result = await terminal.until('code 0');
    expect(result).toContain('Usage  online');
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it('keeps asking when nothing matches, and asks whether to write after that', async () => {
    const { service, terminal } = await terminalWithAssets();
    terminal.type('mar asset put --set name=Two; echo "code $?"');
    await terminal.until(lookupWords.which('asset'));
    terminal.press('z', 'z', 'Enter');
    await terminal.until(lookupWords.noMatchYet);
    terminal.press('BSpace', 'BSpace', 'a', '-', '1');
    await terminal.until('1 match');
    terminal.press('Enter');
    await terminal.until('(y/N)');
    terminal.type('y');
    await terminal.until('code 0');
    expect(JSON.parse(service.text).name).toBe('Two');
  });

  it.each(['C-c', 'Escape'])('exits with 130 on %s, and gives the terminal back', async (key) => {
    const { terminal } = await terminalWithAssets();
    terminal.type('mar asset get; echo "code $?"');
    await terminal.until(lookupWords.which('asset'));
    terminal.press('Down', 'b', key);
    await terminal.until('code 130');
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it('gives the terminal back when it is terminated', async () => {
    const { terminal } = await terminalWithAssets();
    const file = path.join(temporaryFolder(), 'pid');
    const mar = program.join(' ');
    terminal.type(`sh -c 'echo $$ > ${file}; exec ${mar} asset get'; echo "code $?"`);
    await terminal.until(lookupWords.which('asset'));
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGTERM');
    await terminal.until('code 143');
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it.each([
    ['ACCESSIBLE=1', ''],
    ['TERM=dumb', ''],
    ['', '--no-color'],
  ])('is a numbered list with %s%s', async (setting, flag) => {
    const { terminal } = await terminalWithAssets();
    terminal.type(`${setting} mar asset get ${flag}; echo "code $?"`);
    const screen = await terminal.until('Number, 1 to 3:');
    expect(screen).toContain('1. a-3, Gamma\n2. a-2, Beta\n3. a-1, Älpha');
    terminal.type('7');
    await terminal.until('Number, 1 to 3: 7\nNumber, 1 to 3:');
    terminal.type('3');
    expect(await terminal.until('code 0')).toContain('Usage');
    terminal.clear();
    terminal.type(`${setting} mar asset get ${flag}; echo "code $?"`);
    await terminal.until('Number, 1 to 3:');
    terminal.press('C-c');
    await terminal.until('code 130');
  });

  it('does not ask with --no-input, in a pipe, and when nothing was used', async () => {
    const { terminal } = await terminalWithAssets();
    const error = /<id>[\s\S]*code 2/;
    expect(terminal.run('mar asset get --no-input; echo "code $?"')).toMatch(error);
    expect(terminal.run('mar asset get < /dev/null; echo "code $?"')).toMatch(error);
    expect(terminal.run('mar asset get 2>&1 | cat; echo "code 2"')).toMatch(error);
    expect(terminal.run('mar notification show; echo "code $?"')).toMatch(error);
  });
});
