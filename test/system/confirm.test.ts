import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { assetService } from '../harness/assetService.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { isolated, loggedInSandbox } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

const record = '{"_id":"a-1","name":"One","usage":{"online":true}}';

async function terminalAt(
  more: Record<string, string> = {},
  size?: { width: number; height: number },
) {
  const service = await assetService(record);
  const folder = temporaryFolder();
  const env = cleanEnvironment(folder, { ...service.env, ...more });
  return { service, terminal: openTerminal(env, size) };
}

it('a write on a terminal shows its difference and asks; n, Enter and Ctrl-C write nothing', async () => {
  const { service, terminal } = await terminalAt();
  for (const key of ['n', '', 'C-c']) {
    terminal.clear();
    terminal.type('mar asset put a-1 --set name=Two; echo "code $?"');
    await terminal.until('(y/N)');
    expect(terminal.screen()).toContain('  name\n    - "One"\n    + "Two"');
    if (key === 'C-c') terminal.press('C-c');
    else terminal.type(key);
    await terminal.until('code 130');
  }
  expect(service.text).toBe(record);
});

it('a yes writes, on top of what others wrote while the question stood', async () => {
  const { service, terminal } = await terminalAt();
  terminal.type('mar asset put a-1 --set name=Two; echo "code $?"');
  await terminal.until('(y/N)');
  service.change('"online":true', '"online":false');
  terminal.type('y');
  await terminal.until('code 0');
  expect(service.text).toBe('{"_id":"a-1","name":"Two","usage":{"online":false}}');
});

it('--quiet asks all the same, and shows the difference that the question is about', async () => {
  const { service, terminal } = await terminalAt();
  terminal.type('clear; mar asset put a-1 --set name=Two --quiet; echo "code $?"');
  await terminal.until('(y/N)');
  expect(terminal.screen()).toContain('  name\n    - "One"\n    + "Two"');
  terminal.type('y');
  const screen = await terminal.until('code 0');
  expect(screen).not.toContain('Writing to');
  expect(service.text).toContain('Two');
});

it('a file with -O on a terminal is replaced only after a yes', async () => {
  const folder = temporaryFolder();
  const [source, target] = ['a.eng.srt', 'b.eng.srt'].map((name) => path.join(folder, name));
  const cue = '1\n00:00:01,000 --> 00:00:03,000\nGo  on.\n';
  writeFileSync(source ?? '', cue);
  const terminal = openTerminal(cleanEnvironment(folder));
  for (const [key, code, content] of [
    ['n', 130, 'old'],
    ['y', 0, cue.replace('  ', ' ')],
  ] as const) {
    writeFileSync(target ?? '', 'old');
    terminal.clear();
    terminal.type(`mar translation fix ${source} -O ${target}; echo "code $?"`);
    expect(await terminal.until('(y/N)')).toContain('b.eng.srt exists already. Replace it?');
    terminal.type(key);
    await terminal.until(`code ${code}`);
    expect(readFileSync(target ?? '', 'utf8')).toBe(content);
  }
});

it('a reset of the sandbox on a terminal deletes the records only after a yes', async () => {
  const terminal = openTerminal(isolated());
  for (const [key, code] of [
    ['n', 130],
    ['y', 0],
  ] as const) {
    terminal.clear();
    terminal.type('mar sandbox reset; echo "code $?"');
    await terminal.until(/Delete all records in .*(y\/N)/s);
    terminal.type(key);
    const screen = await terminal.until(`code ${code}`);
    expect(screen.includes('Deleted the data')).toBe(key === 'y');
  }
});

it('--yes and --no-input do not ask', async () => {
  const { service, terminal } = await terminalAt();
  for (const flags of ['name=Two --yes', 'name=3rd --no-input']) {
    terminal.clear();
    terminal.type(`mar asset put a-1 --set ${flags}; echo "code $?"`);
    await terminal.until('code 0');
  }
  expect(service.text).toContain('3rd');
});

it('an editor has the terminal to itself: Ctrl-C in it does not end mar', async () => {
  const folder = temporaryFolder();
  const script = path.join(folder, 'editor.sh');
  writeFileSync(
    script,
    `trap 'echo caught' INT\necho "editor is open"\nread -r name\nsed "s/One/$name/" "$1" > ${folder}/x && cat ${folder}/x > "$1"\n`,
  );
  const { service, terminal } = await terminalAt({ EDITOR: `bash ${script}` });
  terminal.type('mar asset edit a-1; echo "code $?"');
  await terminal.until('editor is open');
  terminal.press('C-c');
  await terminal.until('caught');
  terminal.type('Typed');
  await terminal.until('(y/N)');
  terminal.type('yes');
  await terminal.until('code 0');
  expect(JSON.parse(service.text).name).toBe('Typed');
});

it('a put of a record that cannot be read shows what it writes before it asks', async () => {
  const { service, terminal } = await terminalAt();
  const file = path.join(temporaryFolder(), 'preview.json');
  writeFileSync(file, '{"_id":"p-1","label":"Rough cut","password":"hush"}');
  terminal.type(`mar preview put -f ${file}; echo "code $?"`);
  const screen = await terminal.until('(y/N)');
  expect(screen).toContain(
    'This record will be written:\n{\n  "_id": "p-1",\n  "label": "Rough cut",',
  );
  expect(screen).toContain('The current version cannot be read, so there is no diff to show.');
  expect(screen).not.toContain('hush');
  terminal.type('n');
  await terminal.until('code 130');
  expect(service.methods).not.toContain('PUT');
});

it('an event from flags is shown before it is written, like any other put', async () => {
  const { service, terminal } = await terminalAt();
  terminal.type('mar event put --file-id f-1 --set _id=e-1; echo "code $?"');
  const screen = await terminal.until('(y/N)');
  expect(screen).toContain('"files": [');
  expect(screen).toContain('this writes the whole event');
  terminal.type('y');
  await terminal.until('code 0');
  expect(service.text).toContain('f-1');
});

it('a long record is shown with one line for each field, so that all of them fit on the screen', async () => {
  const { service, terminal } = await terminalAt({}, { width: 80, height: 24 });
  service.text = JSON.stringify({ _id: 'wr-1', tags: Array(50).fill('tag'), urls: {} });
  const flags = '--work-request wr-1 --notify-user u-2 --skip-checks';
  terminal.type(`mar event put ${flags}; echo "code $?"`);
  const screen = await terminal.until('(y/N)');
  expect(screen).toContain(
    'This record will be written (long values are cut; --dry-run shows all):',
  );
  expect(screen).toMatch(/^ {2}workRequest {2}\{"_id":"wr-1","tags":\["tag",.*…$/m);
  expect(screen).toMatch(/^ {2}notify {7}\{"users":\["u-2"\],"groups":\[\]\}$/m);
  terminal.type('n');
  await terminal.until('code 130');
});

it('an event about a work request that does not await materials reports it, and asks', async () => {
  const { service, terminal } = await terminalAt();
  service.text = '{"_id":"wr-1","status":"in-progress"}';
  terminal.type('mar event put --work-request wr-1; echo "code $?"');
  const warning = /but\s+its\s+status\s+is\s+"in-progress"/;
  expect(await terminal.until('(y/N)')).toMatch(warning);
  terminal.type('n');
  await terminal.until('code 130');
  expect(service.methods).not.toContain('PUT');
  terminal.clear();
  terminal.type('mar event put --work-request wr-1 --yes; echo "code $?"');
  expect(await terminal.until('code 0')).toMatch(warning);
});

it('a copy in another language asks about the fields of the old one', async () => {
  const { service, terminal } = await terminalAt();
  service.text =
    '{"_id":"wr-1","asset":{"_id":"wr-1"},"auto":true,"language":"fra","territory":"FRA"}';
  for (const [flags, code] of [
    ['', 'code 130'],
    ['--yes', 'code 0'],
  ] as const) {
    terminal.clear();
    terminal.type(`mar wr create --like wr-1 --language deu ${flags}; echo "code $?"`);
    if (flags === '') {
      expect(await terminal.until('(y/N)')).toMatch(/\(fra\):\n {2}territory {2}"FRA"/);
      terminal.type('n');
    }
    await terminal.until(code);
  }
  expect(service.methods.filter((method) => method === 'POST')).toHaveLength(1);
});

it('plan apply shows the plan and asks; only a yes sends it', async () => {
  const { service, terminal } = await terminalAt();
  const file = path.join(temporaryFolder(), 'plan.json');
  terminal.type(`mar asset put a-1 --set name=Two --plan ${file}`);
  await terminal.until('mar plan show');
  for (const [answer, code] of [
    ['n', 130],
    ['y', 0],
  ] as const) {
    expect(service.text).toBe(record);
    terminal.clear();
    terminal.type(`mar plan apply ${file} > /dev/null; echo "code $?"`);
    await terminal.until('(y/N)');
    expect(terminal.screen()).toContain('  name\n    - "One"\n    + "Two"');
    terminal.type(answer);
    await terminal.until(`code ${code}`);
  }
  expect(service.text).toContain('"name":"Two"');
});

it('an order that was placed before is sent again only after a yes', async () => {
  const { env } = await loggedInSandbox();
  const terminal = openTerminal(env);
  const order =
    'mar wr create --asset a-1001 --language fin --territory FIN --dialogue subtitled; echo "code $?"';
  terminal.type(order);
  await terminal.until('code 0');
  for (const [key, code] of [
    ['n', 'code 130'],
    ['y', 'code 0'],
  ] as const) {
    terminal.type('clear');
    terminal.type(order);
    const screen = await terminal.until('Send it again?');
    expect(screen.replaceAll(/\s+/g, ' ')).toContain('the same order was placed before');
    terminal.type(key);
    await terminal.until(code);
  }
});
