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

const question = 'Number, 1 to 3, or words to search for:';

describe('a command without its id', () => {
  it('numbers recent records, and runs with the chosen one', async () => {
    const { terminal } = await terminalWithAssets();
    terminal.type('mar asset get; echo "code $?"');
    const screen = await terminal.until(question);
    expect(screen).toContain(lookupWords.which('asset'));
    expect(screen).toContain('1. a-3, Gamma\n2. a-2, Beta\n3. a-1, Älpha ␛[31mred');
    terminal.type('3');
    expect(await terminal.until('code 0')).toContain('Usage  online');
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it('asks again with those that have the words, and then whether to write', async () => {
    const { service, terminal } = await terminalWithAssets();
    terminal.type('mar asset put --set name=Two; echo "code $?"');
    await terminal.until(question);
    terminal.type('zz');
    await terminal.until(lookupWords.noMatchYet);
    terminal.type('ALPHA');
    expect(await terminal.until('Number, 1 to 1,')).toContain('1. a-1, Älpha');
    terminal.type('1');
    await terminal.until('(y/N)');
    terminal.type('y');
    await terminal.until('code 0');
    expect(JSON.parse(service.text).name).toBe('Two');
  });

  it('takes an id', async () => {
    const { terminal } = await terminalWithAssets();
    terminal.type('mar asset get; echo "code $?"');
    await terminal.until(question);
    terminal.type('a-1');
    expect(await terminal.until('code 0')).toContain('Usage  online');
  });

  it('exits with 130 on Ctrl-C, and gives the terminal back', async () => {
    const { terminal } = await terminalWithAssets();
    terminal.type('mar asset get; echo "code $?"');
    await terminal.until(question);
    terminal.press('b', 'C-c');
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

  it('does not ask with --no-input, in a pipe, and when nothing was used', async () => {
    const { terminal } = await terminalWithAssets();
    const error = /<id>[\s\S]*code 2/;
    expect(terminal.run('mar asset get --no-input; echo "code $?"')).toMatch(error);
    expect(terminal.run('mar asset get < /dev/null; echo "code $?"')).toMatch(error);
    expect(terminal.run('mar asset get 2>&1 | cat; echo "code 2"')).toMatch(error);
    expect(terminal.run('mar notification show; echo "code $?"')).toMatch(error);
  });
});
