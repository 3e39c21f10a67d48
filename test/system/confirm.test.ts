import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { assetService } from '../harness/assetService.ts';
import { temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { isolated, loggedInSandbox } from '../harness/service.ts';
import { openTerminal, type Terminal } from '../harness/terminal.ts';
import { recordWords } from '../words/records.ts';
import { requestWords } from '../words/requests.ts';

const record = '{"_id":"a-1","name":"One","usage":{"online":true}}';
const difference = '  name\n    - "One"\n    + "Two"';

async function terminalAt(
  more: Record<string, string> = {},
  size?: { width: number; height: number },
) {
  const service = await assetService(record);
  const env = isolated({ ...service.env, ...more });
  return { service, terminal: openTerminal(env, size) };
}

/** Runs a line, and returns the screen with its question. */
async function ask(terminal: Terminal, line: string, question: string | RegExp = '(y/N)') {
  terminal.clear();
  terminal.type(`${line}; echo "code $?"`);
  return terminal.until(question);
}

/** Answers the question of a line, and returns the screen at its end. */
async function answer(terminal: Terminal, key: string) {
  if (key === 'C-c') terminal.press(key);
  else terminal.type(key);
  return terminal.until(key.startsWith('y') ? 'code 0' : 'code 130');
}

it('a write on a terminal shows its difference and asks; n, Enter and Ctrl-C write nothing', async () => {
  const { service, terminal } = await terminalAt();
  for (const key of ['n', '', 'C-c']) {
    expect(await ask(terminal, 'mar asset put a-1 --set name=Two')).toContain(difference);
    await answer(terminal, key);
  }
  expect(service.text).toBe(record);
});

it('a yes writes, on top of what others wrote meanwhile; --quiet asks all the same', async () => {
  const { service, terminal } = await terminalAt();
  await ask(terminal, 'mar asset put a-1 --set name=Two');
  service.change('"online":true', '"online":false');
  await answer(terminal, 'y');
  expect(service.text).toBe('{"_id":"a-1","name":"Two","usage":{"online":false}}');
  const screen = await ask(terminal, 'mar asset put a-1 --set name=Three --quiet');
  expect(screen).toContain('  name\n    - "Two"\n    + "Three"');
  // Only the question names the account.
  expect((await answer(terminal, 'y')).match(/ines@/g)).toHaveLength(1);
  expect(service.text).toContain('Three');
  for (const flags of ['name=4th --yes', 'name=5th --no-input']) {
    await ask(terminal, `mar asset put a-1 --set ${flags}`, 'code 0');
  }
  expect(service.text).toContain('5th');
});

it('a file with -O on a terminal is replaced only after a yes', async () => {
  const cue = '1\n00:00:01,000 --> 00:00:03,000\nGo  on.\n';
  const source = temporaryFile(cue, 'a.eng.srt');
  const target = temporaryFile('old', 'b.eng.srt');
  const terminal = openTerminal(isolated());
  for (const [key, content] of [
    ['n', 'old'],
    ['y', cue.replace('  ', ' ')],
  ] as const) {
    const screen = await ask(terminal, `mar translation fix ${source} -O ${target}`);
    expect(screen).toMatch(/b\.eng\.srt .*\? \(y\/N\)/);
    await answer(terminal, key);
    expect(readFileSync(target, 'utf8')).toBe(content);
  }
});

it('an order from a file in which names were translated is sent only after a yes', async () => {
  const { env } = await loggedInSandbox();
  const order = { asset: { _id: 'a-1001' }, language: 'Danish', uses: { items: ['online'] } };
  const file = temporaryFile(JSON.stringify(order), 'order.json');
  const terminal = openTerminal(env);
  for (const key of ['n', 'y']) {
    expect(await ask(terminal, `mar wr create -f ${file}`)).toContain('Danish is read as dan');
    const screen = await answer(terminal, key);
    expect(screen.includes('Created work request')).toBe(key === 'y');
  }
});

it('a reset of the sandbox on a terminal deletes the records only after a yes', async () => {
  const terminal = openTerminal(isolated());
  for (const key of ['n', 'y']) {
    await ask(terminal, 'mar sandbox reset', /Delete all records in .*(y\/N)/s);
    const screen = await answer(terminal, key);
    expect(screen.includes('Deleted the data')).toBe(key === 'y');
  }
});

it('an editor has the terminal to itself: Ctrl-C in it does not end mar', async () => {
  const folder = temporaryFolder();
  const script = path.join(folder, 'editor.sh');
  writeFileSync(
    script,
    `trap 'echo caught' INT\necho "editor is open"\nread -r name\nsed "s/One/$name/" "$1" > ${folder}/x && cat ${folder}/x > "$1"\n`,
  );
  const { service, terminal } = await terminalAt({ EDITOR: `bash ${script}` });
  await ask(terminal, 'mar asset edit a-1', 'editor is open');
  terminal.press('C-c');
  await terminal.until('caught');
  terminal.type('Typed');
  await terminal.until('(y/N)');
  await answer(terminal, 'yes');
  expect(JSON.parse(service.text).name).toBe('Typed');
});

it('what is written is shown before the question, where no difference can be', async () => {
  const { service, terminal } = await terminalAt({}, { width: 80, height: 24 });
  const file = temporaryFile('{"_id":"p-1","label":"Cut","password":"hush"}', 'preview.json');
  const screen = await ask(terminal, `mar preview put -f ${file}`);
  expect(screen).toMatch(/^ {2}_id {7}"p-1"\n {2}label {5}"Cut"$/m);
  expect(screen).toContain(recordWords.noDifference);
  expect(screen).not.toContain('hush');
  await answer(terminal, 'n');
  // A long value is cut, so that all fields fit on the screen.
  const record = JSON.stringify({ _id: 'p-1', label: 'Cut', tags: Array(50).fill('tag') });
  const long = await ask(terminal, `mar preview put -f ${temporaryFile(record, 'long.json')}`);
  expect(long).toContain('--dry-run');
  expect(long).toMatch(/^ {2}tags {3}\["tag",.*…$/m);
  expect(long).toMatch(/^ {2}label {2}"Cut"$/m);
  await answer(terminal, 'n');
  // An event about a work request that does not await materials reports it.
  service.text = '{"_id":"wr-1","status":"in-progress"}';
  const warning = /^warning: [^:]*"awaiting-materials"[^:]*"in-progress"/m;
  expect(await ask(terminal, 'mar event put --work-request wr-1')).toMatch(warning);
  await answer(terminal, 'n');
  expect(service.methods).not.toContain('PUT');
  const line = 'mar event put --work-request wr-1 --yes';
  expect(await ask(terminal, line, 'code 0')).toMatch(warning);
});

it('a copy in another language asks about the fields of the old one', async () => {
  const { service, terminal } = await terminalAt();
  service.text =
    '{"_id":"wr-1","asset":{"_id":"wr-1"},"auto":true,"language":"fra","territory":"FRA"}';
  const line = 'mar wr create --like wr-1 --language deu';
  expect(await ask(terminal, line)).toMatch(/\(fra\):\n {2}territory {2}"FRA"/);
  await answer(terminal, 'n');
  await ask(terminal, `${line} --yes`, 'code 0');
  expect(service.methods.filter((method) => method === 'POST')).toHaveLength(1);
});

it('an order that was placed before is sent again only after a yes', async () => {
  const { env } = await loggedInSandbox();
  const terminal = openTerminal(env);
  const order = 'mar wr create --asset a-1001 --language fin --territory FIN --dialogue subtitled';
  await ask(terminal, `${order} --yes`, 'code 0');
  for (const key of ['n', 'y']) {
    expect(await ask(terminal, order)).toContain(requestWords.placedBefore(''));
    const screen = await answer(terminal, key);
    expect(screen.match(/\(y\/N\)/g)).toHaveLength(1);
    expect(screen.includes('Created work request')).toBe(key === 'y');
  }
});
