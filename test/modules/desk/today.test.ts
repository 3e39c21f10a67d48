import { readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CellValue, readXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { offered } from '../../core/completion/harness.ts';
import { fakeService } from '../../harness/fakeService.ts';
import { filesBelow, mar, startMar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { failure, refused } from '../../harness/marWith.ts';
import { type StoredRecords, workRequestService } from '../../harness/recordService.ts';
import { memoryOf, storedAccount } from '../../harness/storedAccount.ts';
import { requestWords } from '../../words/requests.ts';
import { batchOf, numbered } from '../batch/harness.ts';
import { onBoard } from './boardRecords.ts';

const bookOf = async (rows: CellValue[][], more?: Partial<WriteSheet>) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Done', rows, ...more }] }));

/** A machine with an account, at a service with these work requests. */
async function machine(records: StoredRecords, tracked = Object.keys(records)) {
  const { env, paths } = await workRequestService(records);
  return { paths, ...(await machineAt(env.MAR_BASE_URL ?? '', tracked)) };
}

async function machineAt(baseUrl: string, tracked: readonly string[] = []) {
  const env = storedAccount(temporaryFolder(), baseUrl);
  const run = (argv: readonly string[], more: object = {}) => mar(argv, { env, ...more });
  const today = (...flags: string[]) => run(['today', ...flags]);
  const list = async () => linesOf((await run(['wr', 'track', '--columns', 'id'])).stdout).sort();
  if (tracked.length > 0) await run(['wr', 'track', ...tracked]);
  return { env, run, today, list };
}

/** A service that creates wr-1, wr-2 and so on, and has any other. */
async function creating() {
  const paths: string[] = [];
  let count = 0;
  const service = await fakeService(({ method, path: asked }) => {
    paths.push(asked);
    if (asked.includes('notifications')) {
      return JSON.stringify({ _id: 'n-1', event: { workRequest: { _id: 'wr-3' } } });
    }
    if (method === 'POST') count += 1;
    return onBoard(method === 'POST' ? `wr-${count}` : (asked.split('/').at(-1) ?? ''));
  });
  return { ...service, paths };
}
const order = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--yes'];

const person = { columns: 80 };
const linesOf = (stdout: string) => stdout.trim().split('\n');
/** Numbered ids: `wr-0`, `wr-1` and so on. */
const ids = (count: number) => Array.from({ length: count }, (_, at) => `wr-${at}`);
const pathsOf = (...numbers: number[]) => numbers.map((number) => `/workrequests/wr-${number}`);

const phases = {
  WIP: { groups: [{ id: 'g-1' }], users: ['u-7'], terminal: false },
  LOCK: { groups: [{ id: 'g-9' }], users: [], terminal: false },
};
const workflow = { phase: 'WIP', definition: { phases } };
const withPhase = {
  asset: { _id: 'a-1', name: 'Harbor Lights, Trailer 2', workflow },
  from: { _id: 'u-7', name: 'Greta Vogel', groups: [{ _id: 'g-1', name: 'Paris office' }] },
};

const marc = { _id: 'u-marc', name: 'Marc Dubois' };
const translated = { translation: { translator: marc } };

describe('mar today', () => {
  it('shows what is late, due soon, blocked and changed, and who has to act, on one screen', async () => {
    const { run } = await machine({
      'wr-1': onBoard('wr-1', { dueInDays: -5, ...withPhase }),
      'wr-2': onBoard('wr-2', { dueInDays: 10 / 24 }),
      'wr-3': onBoard('wr-3', { status: 'awaiting-materials', dueInDays: 6, missing: ['script'] }),
      'wr-4': [onBoard('wr-4', { dueInDays: 8 }), onBoard('wr-4', { status: 'wip', dueInDays: 8 })],
      'wr-5': onBoard('wr-5', { dueInDays: 1 }),
      'wr-6': [onBoard('wr-6'), onBoard('wr-6', { status: 'complete' })],
    });
    await run(['wr', 'get', 'wr-4', 'wr-6'], person);
    const { stdout, stderr, code } = await run(['today', '--no-color'], person);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`  ID    DUE          LANG  TERR  ASSET
Late (1)
  wr-1  overdue 5 d  fra   FRA   Harbor Lights, Trailer 2
    in-progress for 7 d
    ${requestWords.noTranslator('Greta Vogel, Paris office')}
Due in 24 hours (1)
  wr-2  10 h left    fra   FRA   Harbor Lights, Trailer 2
    in-progress for 7 d
Blocked, waiting or missing materials (1)
  wr-3  6 d left     fra   FRA   Harbor Lights, Trailer 2
    awaiting-materials for 7 d; missing script
Changed since you last looked (1)
* wr-4  8 d left     fra   FRA   Harbor Lights, Trailer 2
    ${requestWords.changed('in-progress', 'wip')}; wip for 7 d
4 work requests need attention; 1 on time; finished since you last looked: wr-6;
${requestWords.followed('6')}
`);
    // Changes are shown once.
    const again = await run(['today', '--no-color'], person);
    expect(again.stdout).not.toMatch(/wr-[46]/);
    const all = await run(['today', '--all', '--no-color'], person);
    expect(all.stdout).toMatch(/Others \(2\)[\s\S]* wr-5 [\s\S]*Finished \(1\)\n {2}wr-6 /);
    const groups = await run(['today', '--all', '--jq', '.board.group']);
    expect(linesOf(groups.stdout).slice(-3)).toEqual(['other', 'other', 'finished']);
  });

  it('fits the screen, and shows a change the next time that did not', async () => {
    const changed = ids(25).map((id) => [id, [onBoard(id), onBoard(id, { status: 'wip' })]]);
    const { run } = await machine(Object.fromEntries(changed));
    await run(['wr', 'get', ...ids(25)], person);
    const first = await run(['today', '--no-color'], person);
    expect(linesOf(first.stdout).length).toBeLessThanOrEqual(23);
    const [, hidden] = /^… (\d+) more.* run: mar today --attention$/m.exec(first.stdout) ?? [];
    expect(Number(hidden)).toBeGreaterThan(0);
    const second = await run(['today', '--attention', '--no-color'], person);
    const changes = second.stdout.split(requestWords.changed('in-progress', 'wip')).length - 1;
    expect(changes).toBe(Number(hidden));
  });

  it('names the person who set the last status', async () => {
    const history = [{ status: 'in-progress', date: Date.now(), user: { name: 'Marc Petit' } }];
    const { run } = await machine({ 'wr-1': onBoard('wr-1', { dueInDays: -1, history }) });
    const { stdout } = await run(['today', '--no-color'], person);
    expect(stdout).toMatch(/in-progress, .*Marc Petit/);
    const [json] = JSON.parse((await run(['today', '--json'])).stdout);
    expect(json.board).toMatchObject({ late: true, group: 'late', lastStatusBy: 'Marc Petit' });
  });

  it('tells programs the group, the changes and who can act', async () => {
    const fields = { dueInDays: 9, ...withPhase };
    const { today, run } = await machine({
      'wr-1': [onBoard('wr-1', fields), onBoard('wr-1', { reason: 'New cut', ...fields })],
    });
    await run(['wr', 'get', 'wr-1'], person);
    const [record] = JSON.parse((await today('--json')).stdout);
    expect(record.board).toMatchObject({
      group: 'changed',
      changes: [{ field: 'reason', before: 'none', after: 'New cut' }],
      canAct: [
        { kind: 'user', id: 'u-7', name: 'Greta Vogel' },
        { kind: 'group', id: 'g-1', name: 'Paris office' },
      ],
    });
    expect((await today('-o', 'csv')).stdout).toMatch(/^_id,status,.*\r?\nwr-1,in-progress,/);
    expect((await today('--jq', '._id')).stdout).toBe('wr-1\n');
  });

  it('lists only the most urgent with --limit, and says how many more there are', async () => {
    const { today } = await machine({
      'wr-1': onBoard('wr-1', { due: { date: Date.now() + 3_600_000 } }),
      'wr-2': onBoard('wr-2', { due: { date: Date.now() - 3_600_000 } }),
    });
    const { stdout, stderr } = await today('--limit', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ _id: 'wr-2' }]);
    expect(stderr).toContain('"limit"');
    expect((await today('--limit', '2', '--json')).stderr).not.toContain('"limit"');
  });

  it('shows a change the next time that --limit left out', async () => {
    const { run } = await machine({
      'wr-1': onBoard('wr-1', { dueInDays: -5 }),
      'wr-2': [onBoard('wr-2'), onBoard('wr-2', { status: 'wip' })],
    });
    await run(['wr', 'get', 'wr-2'], person);
    const { stdout } = await run(['today', '--no-color', '--limit', '1'], person);
    expect(stdout).not.toContain('wr-2');
    expect((await run(['today', '--no-color'], person)).stdout).toContain('* wr-2');
  });

  it('still marks a change after a command that does not show it', async () => {
    const urls = { view: 'https://desk.example/work-requests/wr-1' };
    const { run } = await machine({
      'wr-1': [onBoard('wr-1', { urls }), onBoard('wr-1', { status: 'wip', urls })],
    });
    await run(['wr', 'get', 'wr-1'], person);
    await run(['wr', 'open', 'wr-1', '--print'], person);
    expect((await run(['today', '--no-color'], person)).stdout).toContain('* wr-1');
  });

  it.each([
    ['--by', 'person'],
    ['--since', '7d'],
    ['--person', 'u-1'],
  ])('refuses --limit where it would limit nothing: %s %s', async (...flags) => {
    const stderr = await refused(['today', 'wr-1', '--limit', '1', ...flags]);
    expect(stderr).toContain(`--limit and ${flags[0]} cannot be used together`);
  });

  it('says whom each request waits for, and shows fewer of them on a small screen', async () => {
    const late = ids(14).map((id, at) => [id, onBoard(id, { dueInDays: at - 20, ...translated })]);
    const { run } = await machine(Object.fromEntries(late));
    const { stdout } = await run(['today', '--no-color'], person);
    const lines = linesOf(stdout);
    expect(lines.length).toBeLessThanOrEqual(23);
    const shown = lines.filter((line) => /^ {2}wr-/.test(line));
    expect(shown.length).toBeGreaterThanOrEqual(8);
    const waits = lines.filter((line) => line.startsWith(`    ${requestWords.waitsFor('Marc')}`));
    expect(waits).toHaveLength(shown.length);
    expect(stdout).toMatch(
      new RegExp(`^… ${14 - shown.length} more.* mar today --attention$`, 'm'),
    );
  });

  it('puts long ids below the names, which keep their room', async () => {
    const id = '64f0c2a19be34d0012ab34cd';
    const name = 'The Harbor Light of the North – Trailer B';
    const record = onBoard(id, { dueInDays: -1, asset: { _id: 'a-1', name }, ...translated });
    const { run } = await machine({ [id]: record });
    const { stdout } = await run(['today', '--no-color'], person);
    expect(stdout).toContain(`  ${name}\n    ${id}  `);
  });

  it('--attention has all that needs attention, and nothing else, in a file and a pipe too', async () => {
    const { run, today } = await machine({
      ...Object.fromEntries(ids(20).map((id) => [id, onBoard(id, { dueInDays: -1 })])),
      'wr-calm': onBoard('wr-calm', { dueInDays: 9 }),
      'wr-done': onBoard('wr-done', { status: 'complete' }),
    });
    const piped = linesOf((await today('--attention', '--jq', '._id')).stdout);
    expect(piped.sort()).toEqual(ids(20).sort());
    const { stdout } = await run(['today', '--attention', '--no-color'], person);
    expect(stdout.match(/^ {2}wr-\d+ /gm)).toHaveLength(20);
    expect(stdout).not.toMatch(/wr-calm|wr-done/);
  });

  it('gathers what was created, not what was opened or named by a notification', async () => {
    const { baseUrl, paths } = await creating();
    const { run, today } = await machineAt(baseUrl);
    for (const argv of [order, ['wr', 'get', 'wr-2'], ['notification', 'show', 'n-1']])
      await run(argv);
    paths.length = 0;
    await today();
    expect(paths).toEqual(pathsOf(1));
  });

  it.each([
    ['team.txt', 'wr-2\n\n wr-3 \nwr-2\n'],
    ['team.csv', 'row,state,id,message\n1,done,wr-2,\n2,failed,,no\n3,done,wr-3,\n'],
    ['team.jsonl', '{"_id":"wr-2"}\n{"_id":"wr-3"}\n'],
    ['team.json', '[{"_id":"wr-2"},{"_id":"wr-3"}]'],
    ['ids.json', '["wr-2", "wr-3"]'],
    [
      'done.xlsx',
      [
        ['Title', 'Id'],
        ['One', 'wr-2'],
        ['Two', null],
        ['Three', 'wr-3'],
      ],
    ],
  ])('reads a list of a team from %s, in addition', async (name, content) => {
    const requests = ids(4).map((id) => [id, onBoard(id)]);
    const { today, paths } = await machine(Object.fromEntries(requests), ['wr-1']);
    const isText = typeof content === 'string';
    const file = temporaryFile(isText ? content : await bookOf(content), name);
    await today('--from', file);
    expect(paths.sort()).toEqual(pathsOf(1, 2, 3));
  });

  it('reads the list of a workbook that it wrote, whose counts are on a second sheet', async () => {
    const requests = ids(3).map((id) => [id, onBoard(id)]);
    const { today, paths } = await machine(Object.fromEntries(requests), ['wr-1', 'wr-2']);
    const file = path.join(temporaryFolder(), 'week.xlsx');
    await today('--all', '-O', file);
    await today('--all', '--from', file);
    expect(paths.sort()).toEqual([...pathsOf(1, 2), ...pathsOf(1, 2)].sort());
  });

  it('refuses a sheet with hidden rows, and names no flag that it does not have', async () => {
    const { today } = await machine({});
    const rowDefs = new Map([[1, { hidden: true }]]);
    const book = await bookOf([['Id'], ['wr-2'], ['wr-3']], { rowDefs });
    const { code, stderr } = await today('--from', temporaryFile(book, 'done.xlsx'));
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/hidden.*row 2/),
    });
    expect(stderr).not.toContain('--hidden');
  });

  it.each([
    [-1, '', 0],
    [-1, '--fail-late', 3],
    [1, '--fail-late', 0],
  ])('due in %d days, with %s, exits with %d', async (dueInDays, flag, code) => {
    const { today } = await machine({ 'wr-1': onBoard('wr-1', { dueInDays }) });
    const run = await today(...(flag ? [flag] : []));
    expect(run.code).toBe(code);
    if (code === 3) expect(run.stderr).toMatch(/^error: 1 work request /m);
  });

  it.each([
    [-1, 3],
    [1, 5],
  ])('due in %d days, with an id that cannot be read, exits with %d', async (dueInDays, code) => {
    const { today } = await machine({ 'wr-1': onBoard('wr-1', { dueInDays }), 'wr-2': 404 });
    for (const given of [[], ['wr-1', 'wr-2']]) {
      const run = await today(...given, '--fail-late');
      expect(run.code).toBe(code);
      expect(run.stdout + run.stderr).toContain('wr-2 not found');
    }
  });

  it('offers to take off the list only what is on it', async () => {
    const { today } = await machine({ 'wr-1': onBoard('wr-1'), 'wr-2': 404, 'wr-3': 404 }, [
      'wr-1',
      'wr-2',
    ]);
    const { stderr } = await today('--from', temporaryFile('wr-3', 'team.txt'));
    expect(stderr).toMatch(/mar wr untrack wr-2$/m);
  });

  it('names what cannot be read once, shows the others, and forgets it when told to', async () => {
    const { run, today, paths } = await machine({
      'wr-1': 404,
      'wr-2': 403,
      'wr-3': onBoard('wr-3', { dueInDays: -1 }),
      'wr-4': 500,
    });
    const { code, stdout, stderr } = await run(['today', '--no-color', '--retries', '0'], person);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Late \(1\)\n {2}wr-3/);
    expect(stdout).toContain(`\n${requestWords.couldNotBeRead} (3)\n  wr-`);
    // The hint leaves out wr-4, whose failure may pass.
    expect(stderr).toContain('run: mar wr untrack wr-2 wr-1\n');
    const { stderr: warnings } = await run(['today', '--jq', '._id', '--retries', '0']);
    expect(warnings.match(/"not-read".*wr-1/g)).toHaveLength(1);
    await run(['wr', 'untrack', 'wr-1', 'wr-2']);
    paths.length = 0;
    await today('--retries', '0');
    expect(paths.sort()).toEqual(pathsOf(3, 4));
    expect((await (await machine({ 'wr-1': 401 })).today()).code).toBe(4);
  });

  it.each([404, 403, 500, 'hang up'] as const)(
    'a request that cannot be read (%s) is listed whatever the filter, and may be late',
    async (unread) => {
      const calm = { 'wr-1': unread, 'wr-2': onBoard('wr-2', { dueInDays: 9 }) };
      const { run } = await machine(calm);
      const flags = ['today', '--retries', '0', '--no-color'];
      const listed = new RegExp(`^${requestWords.couldNotBeRead}.*1[^]*wr-1`, 'm');
      for (const filter of [
        ['--late'],
        ['--attention', '--territory', 'FRA'],
        ['--late', '--since', 'yesterday'],
        ['--late', '--since', 'yesterday', '--by', 'person'],
        ['--all', '--limit', '1'],
      ]) {
        const { code, stdout } = await run([...flags, ...filter], person);
        expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(listed) });
        const failing = [...flags, ...filter, '--fail-late', '--quiet'];
        const { code: failed, ...output } = await run(failing);
        expect([0, 3]).not.toContain(failed);
        expect(output.stderr.match(/^error: /gm)).toHaveLength(1);
        expect(output.stdout + output.stderr).toMatch(/^(warning: |- )wr-1\b/m);
      }
      const late = await machine({ ...calm, 'wr-3': onBoard('wr-3', { dueInDays: -1 }) });
      expect((await late.run([...flags, '--late', '--fail-late'], person)).code).toBe(3);
      const given = await late.run([...flags, 'wr-1', 'wr-3', 'wr-4', '--fail-late']);
      expect(given).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^error: 1 work req/m),
      });
      expect(given.stderr).toMatch(/^warning: wr-1 /m);
      expect(given.stderr).not.toMatch(/untrack.* wr-4/);
    },
  );

  it('a mail says each thing once, also if it has standard error too', async () => {
    const { run } = await machine({ 'wr-1': 404, 'wr-2': onBoard('wr-2') });
    const mail = await run(['today', '--quiet', '--by', 'person']);
    expect(mail.stdout).toContain('- wr-1\n');
    expect(mail.stderr).toBe('');
    const empty = temporaryFile('\n', 'team.txt');
    const none = await (await machine({})).run(['today', '--from', empty, '--by', 'person']);
    expect(none.stdout + none.stderr).toMatch(new RegExp(`^${requestWords.noIds(empty)}.*\n$`));
  });

  it('makes messages of the service safe', async () => {
    const body = JSON.stringify({ message: 'gone\u001b[5m\n away' });
    const { baseUrl } = await fakeService(({ path: asked }) =>
      asked.endsWith('wr-1') ? onBoard('wr-1') : { status: 404, body },
    );
    const { run } = await machineAt(baseUrl, ['wr-1', 'wr-2']);
    const { stdout } = await run(['today', '--no-color'], person);
    expect(stdout).toContain('gone');
    expect(stdout).not.toContain('\u001b');
  });

  it('warns once of a field that is not as documented, whatever its values are', async () => {
    const odd = (id: string, date: number) => onBoard(id, { due: { date } });
    const { today } = await machine({ 'wr-1': odd('wr-1', 1.5), 'wr-2': odd('wr-2', 2.5) });
    const { stderr } = await today();
    expect(stderr.match(/warning: .*due\.date/g)).toHaveLength(1);
  });

  it('learns the values that records have, for Tab', async () => {
    const { today, env } = await machine({ 'wr-1': onBoard('wr-1', { territory: 'LAS' }) });
    await today();
    expect(await offered(['wr', 'create', '--territory', ''], env)).toContain('LAS');
  });

  it.each(['--no-color', '--json'])(
    'prints what it has when it is stopped, with %s',
    async (flag) => {
      let count = 0;
      const { baseUrl } = await fakeService(() => {
        count += 1;
        return count === 1 ? onBoard('wr-1', { dueInDays: -2 }) : new Promise(() => {});
      });
      const { env, run } = await machineAt(baseUrl, ['wr-2', 'wr-1']);
      // The second request starts when the first is read.
      await run(['config', 'set', 'concurrency', '1']);
      const stopped = startMar(['today', flag], { env, columns: 80 });
      await expect.poll(() => count).toBe(2);
      stopped.signal('SIGINT');
      const { code, stdout, stderr } = await stopped.ended;
      expect([code, stdout]).toEqual([130, expect.stringContaining('wr-1')]);
      expect(stderr).toContain(' 1 of 2 ');
    },
  );

  const badRows = '{"_id":"wr-2"}\n{bad\n';
  it.each([
    ['--from nowhere.txt', 'cannot read nowhere.txt'],
    ['--from DIR/bad.csv', 'bad.csv, line 1: no column _id'],
    ['--from DIR/bad.jsonl', 'bad.jsonl, line 2: expected a quoted key'],
  ])('refuses %s', async (flags, message) => {
    const folder = path.dirname(temporaryFile('name,language\na,fra\n', 'bad.csv'));
    writeFileSync(path.join(folder, 'bad.jsonl'), badRows);
    const argv = `today ${flags}`.replace('DIR', folder).split(' ');
    expect(await refused(argv)).toContain(message);
  });
});

describe('the list of work requests', () => {
  it('is handed over as a file with titles, which another login takes', async () => {
    const { run, paths } = await machine({
      'wr-1': onBoard('wr-1', { dueInDays: 3 }),
      'wr-2': 404,
    });
    const file = path.join(temporaryFolder(), 'list.xlsx');
    const { code, stderr } = await run(['wr', 'track', '-O', file]);
    expect(code).toBe(0);
    expect(stderr).toContain('wr-2');
    const { sheets } = await readXlsx(readFileSync(file));
    const [heads, ...rows] = sheets[0]?.rows ?? [];
    expect(heads?.join()).toMatch(/^Id,Asset,Language,Territory,Due \(.*\),Status$/);
    const [first, second] = rows.sort();
    const title = 'Harbor Lights, Trailer 2';
    expect(first).toEqual(['wr-1', title, 'fra', 'FRA', expect.any(Date), 'in-progress']);
    expect(second?.[0]).toBe('wr-2');
    const other = await machine({}, []);
    await other.run(['wr', 'track', '--from', file]);
    expect(await other.list()).toEqual(['wr-1', 'wr-2']);
    expect(paths).toContain('/workrequests/wr-1');
  });

  it('is kept private, and searched without a request', async () => {
    const { env, run, paths } = await machine({ 'wr-1': onBoard('wr-1') });
    await run(['wr', 'track', 'wr-2', '-'], { stdin: 'wr-3\n' });
    paths.length = 0;
    const found = await run(['find', 'wr-3', '--kind', 'wr', '--columns', 'id']);
    expect(found.stdout).toBe('wr-3\n');
    expect(paths).toEqual([]);
    const folder = path.join(env.MAR_STATE_DIR ?? '', 'memory');
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('is not said to have a new work request if it cannot be stored', async () => {
    const { env, run } = await machine({ 'wr-1': onBoard('wr-1') });
    const [file = ''] = filesBelow(env.MAR_STATE_DIR ?? '');
    // A link is followed to read, and not to write.
    renameSync(file, `${file}.kept`);
    symlinkSync(`${file}.kept`, file);
    for (const state of [env.MAR_STATE_DIR, '/dev/null/state']) {
      const stored = { ...env, MAR_STATE_DIR: state ?? '' };
      const stderr = await failure(2, run(['wr', 'track', 'wr-2'], { env: stored }));
      expect(stderr).toContain(`in ${state}`);
    }
    const again = await run(['wr', 'track', 'wr-1']);
    expect(again, again.stderr).toMatchObject({ code: 0 });
  });

  it('takes addresses, files, and the ids that a batch has created', async () => {
    const target = await creating();
    const batch = batchOf(target, numbered(2));
    await batch.run();
    const { run, list } = await machineAt(target.baseUrl);
    const address = `//${new URL(target.baseUrl).host}/api/workrequests/wr-9`;
    const { stdout } = await batch.verb('report', ['--jq', '.id']);
    await run(['wr', 'track', address, '--from', temporaryFile(stdout, 'ids.txt')]);
    expect(await list()).toEqual(['wr-1', 'wr-2', 'wr-9']);
  });

  it('has what a batch created', async () => {
    const { baseUrl } = await creating();
    const { env, list } = await machineAt(baseUrl);
    await batchOf({ env }, numbered(2)).run();
    expect(await list()).toEqual(['wr-1', 'wr-2']);
  });

  it('loses finished requests, also when they are recent', async () => {
    const { env, run, today, list } = await machine({
      'wr-1': onBoard('wr-1', { status: 'complete' }),
      'wr-2': onBoard('wr-2'),
    });
    await today();
    await run(['wr', 'get', 'wr-1']);
    const { stdout } = await run(['wr', 'untrack', '--finished', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ removed: ['wr-1'] });
    expect(await list()).toEqual(['wr-2']);
    expect(await offered(['wr', 'get', ''], env)).not.toContain('wr-1');
    expect((await run(['wr', 'untrack', 'wr-77'])).stderr).toContain(': wr-77');
  });

  it('keeps the newest 4,000', async () => {
    const { env, run, list } = await machine({});
    const memory = memoryOf(env);
    await memory.add(ids(4000).map((id, at) => ({ kind: 'Tracked', id, text: '', at })));
    await run(['wr', 'track', 'new-1']);
    const kept = [...ids(4000), 'new-1'].filter((id) => id !== 'wr-0');
    expect(await list()).toEqual(kept.sort());
  });

  it('is refused with a token from the environment, which leaves no trace', async () => {
    expect(await refused(['wr', 'track', 'wr-1'])).toContain('environment');
  });

  it('is not mixed with that of another account or service, and survives damage', async () => {
    const { env, run, today } = await machine({ 'wr-1': onBoard('wr-1') });
    const other = { ...env, MAR_BASE_URL: `${env.MAR_BASE_URL}/other/api` };
    expect((await run(['wr', 'track', '--json'], { env: other })).stdout).toBe('[]\n');
    await memoryOf(env).add([{ kind: 'Look', id: 'wr-1', text: '{broken', at: 1 }]);
    expect((await today()).code).toBe(0);
  });

  it('loses no entry of two programs that run at once', async () => {
    const { run, list } = await machine({});
    await Promise.all(ids(20).map((id) => run(['wr', 'track', id])));
    expect(await list()).toEqual(ids(20).sort());
  });
});
