import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { shop } from '../core/orders/shop.ts';
import { isolated } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

/** Debian has openpyxl for its own Python (python3-openpyxl). */
const script = `
import datetime, sys, openpyxl
template, target, title = sys.argv[1:]
book = openpyxl.load_workbook(template)
sheet = book.active
year = datetime.date.today().year + 1
sheet.cell(3, 6).value = "Uses"
for line in range(4, 29):
    due = sheet.cell(line, 4).value
    sheet.cell(line, 4).value = due.replace(year=year) if hasattr(due, "year") else due.replace("2031", str(year))
    sheet.cell(line, 1).value = title
    sheet.cell(line, 6).value = "online"
book.save(target)
`;

const template = new URL('../modules/batch/sheets/openpyxl.xlsx', import.meta.url).pathname;

it('a workbook by openpyxl becomes 25 orders with one answer', async () => {
  const { env, folder, run, requests } = await shop();
  const make = (name: string, title: string) =>
    execFileSync('/usr/bin/python3', ['-c', script, template, path.join(folder, name), title]);
  make('spring.xlsx', 'The Harbor Light – Trailer A');
  make('summer.xlsx', 'The Harbor Light – Trailer B');
  const before = await requests();
  const variables = isolated({ ...env, TZ: 'Europe/Berlin' });
  const terminal = openTerminal(variables, { width: 120, height: 60 });
  const flags = '--map Title=asset --map Notes=instructions --dates dmy';
  for (const name of ['spring', 'summer']) {
    terminal.type(`cd ${folder}; mar wr create --batch ${name}.xlsx ${flags}; echo "code $?"`);
    await terminal.until('(y/N)');
    if (name === 'spring') {
      expect(terminal.screen()).toMatch(/25 +new +a-1001 +The Harbor Light – Trailer A +swe +SWE/);
    }
    terminal.type('y');
    await terminal.until('code 0');
    terminal.clear();
  }
  const created = (await requests()).filter((id) => !before.includes(id));
  expect(created).toHaveLength(50);
  const records = await run(['wr', 'get', ...created, '--json']);
  const all: { language: string; due: { date: number } }[] = JSON.parse(records.stdout);
  const languages =
    'fra deu spa ita jpn kor pol nld swe dan fin nor ces ell hun por tur tha ukr ron';
  expect(new Set(all.map(({ language }) => language))).toEqual(new Set(languages.split(' ')));
  const ends = new Set(all.map(({ due }) => new Date(due.date).toISOString().slice(5)));
  expect(ends).toEqual(new Set(['12-12T22:59:00.000Z', '12-01T22:59:00.000Z']));
});

it('a file that Excel wrote as CSV gives the same orders', async () => {
  const { run, file } = await shop();
  const content = readFileSync(new URL('../modules/batch/sheets/windows.csv', import.meta.url));
  const flags = ['--map', 'Title=asset', '--map', 'Notes=instructions', '--dates', 'dmy'];
  flags.push('--set', 'uses.items[+]=online', '--skip-checks=due');
  const argv = ['wr', 'create', '--batch', file('windows.csv', content), ...flags];
  expect(await run(argv)).toMatchObject({ code: 0, stdout: '25 rows: 25 done\n' });
});
