import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, marOk, temporaryFolder } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';

/** Creates a work request. Its due date may be in the past, by now. */
const create = ['wr', 'create', '--skip-checks'];

/** The body that `wr create` sends for some flags, and its messages. */
async function created(...flags: string[]) {
  const server = await recordingServer('{}');
  const run = await mar([...create, ...flags], server);
  return { ...run, body: server.requests.at(-1)?.split('\r\n\r\n')[1], requests: server.requests };
}

describe('--set of a time', () => {
  it.each([
    [['due.date=2026-12-01T18:00', 'due.tz=Europe/Paris'], 1_796_144_400_000],
    [['due.tz=America/New_York', 'due.date=2026-07-01 09:30:15'], 1_782_912_615_000],
    [['due.date=2026-12-01T18:00Z', 'due.tz=Europe/Paris'], 1_796_148_000_000],
    [['due.date=2026-12-01T18:00+05:30'], 1_796_128_200_000],
    [['due.date=2026-12-01', 'due.tz=UTC'], 1_796_169_540_000],
    [['due.date=2026-10-25T02:30+02:00', 'due.tz=Europe/Paris'], 1_792_888_200_000],
  ])('%j is the number that the service knows', async (sets, date) => {
    const run = await created(...sets.flatMap((text) => ['--set', text]));
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.body ?? '').due.date).toBe(date);
    expect(run.stderr).toContain(`sent as ${date} (milliseconds; for another unit`);
  });

  it.each([
    [['--due', '1796144400000']],
    [['--set', 'due.date=1796144400000']],
    [['--set', 'due.date="1796144400000"']],
    [['-f', '-'], '{"due":{"date":1796144400000}}'],
    [['-f', '-'], '{"due":{"date":"1796144400000"}}'],
    [['--batch', '-'], '{"due":{"date":"1796144400000"}}'],
    [['--batch', '-'], 'language,due.date\nfra,1796144400000\n'],
  ])('%j takes a number in the unit of the service', async (flags, stdin = '') => {
    const server = await recordingServer('{"_id":"wr-1"}');
    const journal = path.join(temporaryFolder(), 'journal');
    const more = flags[0] === '--batch' ? ['--journal', journal] : [];
    await marOk([...create, ...flags, ...more], { ...server, stdin });
    expect(server.requests[0]).toMatch(/"date":1796144400000[,}]/);
  });

  it('is in the unit that the record has', async () => {
    const stdin = '{"created":1764612000,"due":{"tz":"UTC"}}';
    const server = await recordingServer('{}');
    const argv = [...create, '-f', '-', '--set', 'due.date=2026-12-01T18:00'];
    const run = await marOk(argv, { ...server, stdin });
    expect(server.requests[0]).toContain('"date":1796148000}');
    expect(run.stderr).toContain('(seconds)');
  });

  it('is in the unit of the setting where the record shows none', async () => {
    const server = await recordingServer('{}');
    const env = { ...server.env, MAR_CONFIG_DIR: temporaryFolder() };
    await mar(['config', 'set', 'time-unit', 'us'], { env });
    const argv = [...create, '--set', 'due.date=2026-12-01T18:00Z'];
    await marOk(argv, { env });
    expect(server.requests[0]).toContain('"date":1796148000000000}');
  });

  it('may stand in a list of any length', async () => {
    const history = Array.from({ length: 130_000 }, () => ({ date: 'later' }));
    const stdin = JSON.stringify({ history });
    const stderr = await refused(['wr', 'create', '-f', '-'], { stdin });
    expect(stderr).toContain('history[0].date');
  });

  it('without a zone is local time, and reports it', async () => {
    const run = await created('--set', 'due.date=2026-12-01T18:00');
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('It was read as local time, because the record has no tz');
    const local = new Date('2026-12-01T18:00').getTime();
    expect(JSON.parse(run.body ?? '').due.date).toBe(local);
  });

  it.each([
    ['due.date=someday', 'due.date must be a date, such as 2026-12-01T18:00'],
    ['due.date="20261201"', 'due.date must be a date, such as 2026-12-01T18:00'],
    ['due.date=2026-02-30', '2026-02-30 is not a valid date'],
    ['due.date=2026-12-01T25:00', '2026-12-01T25:00 is not a valid date'],
    ['due.date=1.5', 'due.date: expected an integer, found the number 1.5'],
    ['history[0].date=soon', 'history[0].date must be a date, such as 2026-12-01T18:00'],
  ])('%s is refused, and nothing is sent', async (text, message) => {
    const run = await created('--set', text, '--set', 'due.tz=UTC');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
    expect(run.requests).toEqual([]);
  });

  it('is for times alone: a date in a text stays one', async () => {
    const run = await created('--set', 'instructions=2026-12-01', '--set', 'mine.date=2026-12-01');
    expect(run.body).toBe('{"instructions":"2026-12-01","mine":{"date":"2026-12-01"}}');
  });
});

describe('--set', () => {
  it('of a number where a text belongs points to --set-string', async () => {
    const run = await created('--set', 'language=42');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--set-string language=42');
  });

  it('[+] appends, and makes the array that is missing', async () => {
    const run = await created('--set', 'tags[+]=a', '--set', 'tags[+]=b', '--set', 'm[+].name=x');
    expect(run.body).toBe('{"tags":["a","b"],"m":[{"name":"x"}]}');
  });

  it('[+] is for setting alone', async () => {
    expect((await created('--unset', 'tags[+]')).code).toBe(2);
    const { env } = await recordingServer('{}');
    expect((await mar(['asset', 'get', 'a', '--columns', 'tags[+]'], { env })).code).toBe(2);
  });

  const yaml = 'items: [online]\nbig: 9007199254740993\n';
  it.each([
    ['is the text of the file, as it is', 'notes.txt', '42\nzwei\n', '"42\\nzwei\\n"'],
    ['of YAML is what it holds', 'a.yaml', yaml, '{"items":["online"],"big":9007199254740993}'],
    ['that holds null sets null', 'none.json', 'null', 'null'],
  ])('@FILE %s', async (_name, name, content, value) => {
    const file = path.join(temporaryFolder(), name);
    writeFileSync(file, content);
    expect((await created('--set', `mine=@${file}`)).body).toBe(`{"mine":${value}}`);
  });

  it('@FILE that is not there explains how to set such a text', async () => {
    const run = await created('--set', 'instructions=@nobody');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--set-string instructions=@nobody');
    expect((await created('--set-string', 'instructions=@nobody')).body).toContain('"@nobody"');
  });

  it('of JSON with a key twice is refused, not taken for a text', async () => {
    const run = await created('--set', 'x={"a":1,"a":2}');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('duplicate key "a" at line 1, column 8');
  });
});

describe('YAML', () => {
  it.each([
    ['a: &x {b: 1}\nc:\n  <<: *x\n', 'merge key', 'line 3, column 3'],
    ['a: 1\nb: !!binary aGk=\n', 'JSON has no type for the tag !!binary', 'line 2'],
    ['b: !mine x\n', 'JSON has no type for the tag !mine', 'line 1'],
    ['b: !!int 3.5\n', 'the value does not match the tag !!int', 'line 1'],
  ])('%j means more than JSON, and is refused', async (stdin, message, place) => {
    const stderr = await refused(['wr', 'create', '-f', '-'], { stdin });
    expect(stderr).toContain(message);
    expect(stderr).toContain(place);
  });
});
