import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { recordService } from '../../harness/recordService.ts';

const day = 24 * 60 * 60 * 1000;
const request = (id: string) => ({
  _id: id,
  status: 'in-progress',
  language: 'fra',
  due: { date: Date.now() - 5 * day, tz: 'Europe/Paris' },
  asset: { _id: 'a-1', name: 'Trailer A' },
  materials: [{ name: 'master', complete: false }],
  history: [
    { date: Date.now() - 20 * day, status: 'incomplete', user: { name: 'Inès' } },
    { date: Date.now() - 9 * day, status: 'in-progress', user: { name: 'Marc' } },
  ],
});

const service = async () => {
  const { env } = await recordService({
    '/workrequests/wr-1': JSON.stringify(request('wr-1')),
    '/workrequests/wr-2': JSON.stringify(request('wr-2')),
  });
  return { ...env, NO_COLOR: '1' };
};

const commands = {
  card: ['wr', 'get', 'wr-1'],
  table: ['wr', 'get', 'wr-1', 'wr-2'],
};

/** Drawing, and spaces that make columns. */
const drawing = /[│─●○◆]|\S {2,}\S/;

describe('for screen readers', () => {
  it.each(Object.entries(commands))('a %s has no boxes and columns', async (_, line) => {
    const env = await service();
    const usual = await mar(line, { env, columns: 100 });
    expect(usual.stdout).toMatch(drawing);
    const run = await mar(line, { env: { ...env, ACCESSIBLE: '1' }, columns: 100 });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).not.toMatch(drawing);
  });

  it('every value has its label', async () => {
    const env = { ...(await service()), ACCESSIBLE: '1' };
    const { stdout } = await mar(commands.table, { env, columns: 100 });
    const lines = stdout.split('\n');
    for (const label of ['Id: wr-1', 'Status: in-progress', 'Due: overdue 5 d', 'Language: fra']) {
      expect(lines).toContain(label);
    }
    const card = await mar(commands.card, { env, columns: 100 });
    expect(card.stdout).toContain('Missing: master\n');
  });

  it('the setting does the same, and ACCESSIBLE=0 wins over it', async () => {
    const file = temporaryFile('{"settings":{"accessible":"on"}}', 'config.json');
    const env = { ...(await service()), MAR_CONFIG_DIR: path.dirname(file) };
    const on = await mar(commands.table, { env, columns: 100 });
    expect(on.stdout).not.toMatch(drawing);
    const off = await mar(commands.table, { env: { ...env, ACCESSIBLE: '0' }, columns: 100 });
    expect(off.stdout).toMatch(drawing);
  });
});
