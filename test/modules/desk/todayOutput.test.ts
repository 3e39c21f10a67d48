import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../../harness/fakeService.ts';
import { mar, marOk } from '../../harness/mar.ts';
import { failure, refused } from '../../harness/marWith.ts';
import { type StoredRecords, workRequestService as service } from '../../harness/recordService.ts';
import { requestWords } from '../../words/requests.ts';
import { onBoard } from './boardRecords.ts';

const idOf = (path: string) => path.split('/').at(-1) ?? '';

const today = (ids: readonly string[], ...more: string[]) => ['today', ...ids, ...more];

/** Two late requests, one due today, one that waits for materials, one that is done. */
const mixed: Record<string, string> = Object.fromEntries(
  (
    [
      [1, { status: 'complete', dueInDays: -30, sinceDays: 20, territory: 'JPN' }],
      [2, { status: 'awaiting-materials', dueInDays: 6, missing: ['textless'], language: 'deu' }],
      [3, { status: 'rejected', dueInDays: -2, reason: 'Line 4 is too formal' }],
      [4, { dueInDays: 10 / 24 }],
      [5, { status: 'awaiting-materials', dueInDays: -5, missing: ['textless', 'script'] }],
      [6, {}],
    ] as const
  ).map(([number, outline]) => [`wr-${number}`, onBoard(`wr-${number}`, outline)]),
);
const ids = Object.keys(mixed);

/** The output on a terminal, of a service with these records. */
const screen = async (records: StoredRecords, names: readonly string[], ...flags: string[]) =>
  mar(today(names, ...flags), { ...(await service(records)), columns: 80 });

describe('mar today ID', () => {
  it('shows all of them on a terminal of 80 columns, in groups', async () => {
    const run = await screen(mixed, ids, '--no-color');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(
      `  ID    DUE            LANG  TERR  ASSET
Late (2)
  wr-5  overdue 5 d    fra   FRA   Harbor Lights, Trailer 2
    awaiting-materials for 7 d; missing textless, script
  wr-3  overdue 2 d    fra   FRA   Harbor Lights, Trailer 2
    rejected for 7 d; Line 4 is too formal
Due in 24 hours (1)
  wr-4  10 h left      fra   FRA   Harbor Lights, Trailer 2
    in-progress for 7 d
Blocked, waiting or missing materials (1)
  wr-2  6 d left       deu   FRA   Harbor Lights, Trailer 2
    awaiting-materials for 7 d; missing textless
No due date (1)
  wr-6  no due date    fra   FRA   Harbor Lights, Trailer 2
    in-progress for 7 d
Finished (1)
  wr-1  done 20 d ago  fra   JPN   Harbor Lights, Trailer 2
    complete
4 work requests need attention; 1 without a due date; 1 finished; of 6 given
`,
    );
  });

  it('wraps the reason behind a long id, and loses no word of it', async () => {
    const id = 'c9b6ae89c4dd4de3a60c3dba';
    const reason = 'The territory has not yet replied to the second mail';
    const record = onBoard(id, { status: 'rejected', dueInDays: -2, reason });
    const { stdout } = await screen({ [id]: record }, [id], '--no-color');
    expect(stdout).toContain(`    ${id}  rejected for 7 d; The territory has not yet\n`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(reason);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('colours what is late differently from what is due soon and from what is done', async () => {
    const { stdout } = await screen(mixed, ids);
    expect(stdout).toContain('\u001b[31moverdue 5 d\u001b[39m');
    expect(stdout).toContain('\u001b[33m10 h left\u001b[39m');
    expect(stdout).toContain('\u001b[32mdone 20 d ago\u001b[39m');
  });

  it('prints every record unchanged for programs, the most urgent first, with one more field', async () => {
    const exact = `${onBoard('wr-1', { dueInDays: 3 }).slice(0, -1)},"big":12345678901234567890}`;
    const { env } = await service({ 'wr-1': exact, 'wr-2': onBoard('wr-2', { dueInDays: -1 }) });
    const run = await mar(today(['wr-1', 'wr-2'], '--json'), { env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const [late, other] = JSON.parse(run.stdout);
    expect(late).toMatchObject({ _id: 'wr-2', board: { late: true, missing: [] } });
    expect(late.board.timeLeftMs).toBeLessThan(0);
    expect(Date.parse(late.board.due)).toBe(late.due.date);
    expect(other.board.late).toBe(false);
    expect(run.stdout).toContain(`${exact.slice(0, -1)},"board":{`);
  });

  it.each([
    [['--jsonl', '--jq', 'select(.board.late)._id'], 'wr-5\nwr-3\n'],
    [['--jq-slurp', 'map(.board.missing | length) | add'], '3\n'],
    [['--columns', '_id,late'], /^wr-5\ttrue\n/],
    [['-o', 'csv', '--columns', '_id,missing'], /^_id,board.missing\r?\nwr-5,textless;script/],
    [
      ['-o', 'csv'],
      /^_id,status,board\.late,board\.due,board\.timeLeftMs,board\.since,board\.missing,reason,language,territory,asset\.name,board\.waitsFor,board\.canAct,board\.lastStatusBy\r?\n/,
    ],
    [['-o', 'tsv'], /^wr-5\tawaiting-materials\ttrue\t\d{4}-/],
    [['-o', 'yaml'], /^- _id: wr-5\n[\s\S]*\n {2}board:\n {4}late: true\n/],
    [['-o', 'table'], /^ {2}ID .*\nLate \(2\)\n/],
  ])('has the format %j', async (flags, expected) => {
    // No filter draws groups, on a terminal neither.
    const columns = flags[0]?.startsWith('--jq') ? 80 : undefined;
    const { stdout } = await marOk(today(ids, ...flags), { ...(await service(mixed)), columns });
    expect(stdout).toMatch(typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected);
  });

  it('reports counts on standard error in a pipe, but not with --quiet or for programs', async () => {
    const { env } = await service(mixed);
    const counts = (await screen(mixed, ids, '--no-color')).stdout.split('\n').at(-2);
    expect((await mar(today(ids), { env })).stderr).toBe(`${counts}\n`);
    expect((await mar(today(ids, '--quiet'), { env })).stderr).toBe('');
    expect((await mar(today(ids, '--json'), { env })).stderr).toBe('');
  });

  it('shows the others if one id fails, and exits as wr get of several does', async () => {
    const records = { 'wr-1': onBoard('wr-1'), 'wr-3': onBoard('wr-3') };
    const run = await screen(records, ['wr-1', 'wr-2', 'wr-3'], '--no-color');
    expect(run.code).toBe(5);
    expect(run.stdout).toMatch(/wr-1 [\s\S]*wr-3 /);
    expect(run.stdout).toContain(`\n${requestWords.couldNotBeRead} (1)\n  wr-2`);
    expect(run.stderr).toMatch(/^error: .*wr-2/m);
    const worse = await service({ 'wr-1': onBoard('wr-1'), 'wr-2': 500 });
    const names = ['wr-1', 'wr-2', 'wr-9', '--json', '--retries', '0'];
    const [ofToday, ofGet] = [
      await mar(today(names), worse),
      await mar(['wr', 'get', ...names], worse),
    ];
    expect(ofToday).toMatchObject({ code: 1, stderr: ofGet.stderr });
    expect(JSON.parse(ofToday.stdout)).toHaveLength(1);
    const none = await failure(5, screen({}, ['wr-1', 'wr-2'], '--no-color'));
    expect(none).toMatch(/^error: .*wr-1/);
  });

  it('reads hundreds of requests, several at a time', async () => {
    let [running, most] = [0, 0];
    const { env } = await fakeService(async ({ path }) => {
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      return onBoard(idOf(path));
    });
    const many = Array.from({ length: 300 }, (_, at) => `wr-${at}`);
    const run = await mar(today(['-'], '--jq', '._id'), { env, stdin: many.join('\n') });
    expect(run.stdout.trim().split('\n').sort()).toEqual([...many].sort());
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(6);
  });

  it('makes text of the service safe', async () => {
    const name = 'a\u001b[31mb\nc';
    const odd = { dueInDays: -1, asset: { name }, reason: name, status: name };
    const { stdout } = await screen({ 'wr-1': onBoard('wr-1', odd) }, ['wr-1'], '--no-color');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n')).toHaveLength(6);
  });

  it.each(['due', 'history', 'materials', 'asset', 'status'])(
    'shows a record whose %s has an undocumented form',
    async (field) => {
      for (const value of [null, 7, 'x', [null, 1], { a: 1 }]) {
        const records = { 'wr-1': onBoard('wr-1', { [field]: value }) };
        const { code, stdout } = await screen(records, ['wr-1'], '--no-color');
        expect([code, stdout]).toEqual([0, expect.stringContaining('wr-1')]);
      }
    },
  );

  it('prints sentences with labels for a screen reader, and on a very narrow terminal', async () => {
    const { env } = await service(mixed);
    const accessible = { ...env, ACCESSIBLE: '1', NO_COLOR: '1' };
    const run = await mar(today(ids), { env: accessible, columns: 80 });
    expect(run.stdout).toMatch(
      /^Late \(2\)\n {2}wr-5: overdue 5 d; language fra; territory FRA; asset/,
    );
    const narrow = await mar(today(ids, '--no-color'), { env, columns: 30 });
    for (const line of narrow.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(30);
  });

  it('takes ids and standard input together, each request once', async () => {
    const { env, paths } = await service({ 'wr-1': onBoard('wr-1'), 'wr-2': onBoard('wr-2') });
    await marOk(today(['wr-1', '-'], '--jq', '._id'), { env, stdin: 'wr-2\n\nwr-2\n' });
    expect(paths.sort()).toEqual(['/workrequests/wr-1', '/workrequests/wr-2']);
  });

  it.each([
    ['..', /"\.\./],
    ['wr-1 --batch a.csv', /"wr-1" and --batch/],
    ['--all --since 1d', /--all and --since/],
  ])('refuses %s, and sends nothing', async (argv, message) => {
    expect(await refused(today(argv.split(' ')))).toMatch(message);
  });
});
