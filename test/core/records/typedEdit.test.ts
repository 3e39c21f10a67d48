import { describe, expect, it } from 'vitest';
import { mar, marOk, temporaryFile } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { recordWords } from '../../words/records.ts';
import { requestWords } from '../../words/requests.ts';

/** Creates a work request. Its due date may be in the past, by now. */
const create = ['wr', 'create', '--skip-checks'];

/** The body that `wr create` sends for some flags, and its messages. */
async function created(...flags: string[]) {
  const server = await recordingServer('{"_id":"wr-1"}');
  const run = await mar([...create, ...flags], server);
  return { ...run, body: server.requests.at(-1)?.split('\r\n\r\n')[1] };
}

describe('--set of a time', () => {
  it.each([
    [['due.tz=America/New_York', 'due.date=2026-07-01 09:30:15'], 1_782_912_615_000],
    [['due.date=2026-12-01T18:00+05:30'], 1_796_128_200_000],
    [['due.date=2026-10-25T02:30+02:00', 'due.tz=Europe/Paris'], 1_792_888_200_000],
  ])('%j is the number that the service knows', async (sets, date) => {
    const run = await created(...sets.flatMap((text) => ['--set', text]));
    expect(JSON.parse(run.body ?? '').due.date, run.stderr).toBe(date);
    expect(run.stderr).toContain(requestWords.sentIn('milliseconds'));
  });

  it.each([
    [['--due', '1796144400000']],
    [['--set', 'due.date=1796144400000']],
    [['--set', 'due.date="1796144400000"']],
    [['-f', '-'], '{"due":{"date":1796144400000}}'],
    [['-f', '-'], '{"due":{"date":"1796144400000"}}'],
  ])('%j takes a number in the unit of the service', async (flags, stdin = '') => {
    const server = await recordingServer('{"_id":"wr-1"}');
    await marOk([...create, ...flags], { ...server, stdin });
    expect(server.requests[0]).toMatch(/"date":1796144400000[,}]/);
  });

  it('is in the unit that the record has', async () => {
    const stdin = '{"created":1764612000,"due":{"tz":"UTC"}}';
    const server = await recordingServer('{"_id":"wr-1"}');
    const argv = [...create, '-f', '-', '--set', 'due.date=2026-12-01T18:00'];
    const run = await marOk(argv, { ...server, stdin });
    expect(server.requests[0]).toContain('"date":1796148000}');
    expect(run.stderr).not.toContain(requestWords.sentIn(''));
  });

  it('may stand in a list of any length', async () => {
    const stdin = JSON.stringify({ history: Array(130_000).fill({ date: 'later' }) });
    expect(await refused(['wr', 'create', '-f', '-'], { stdin })).toContain('history[0].date');
  });

  it('without a zone is local time, and reports it', async () => {
    const run = await created('--set', 'due.date=2026-12-01T18:00');
    expect(run.stderr).toContain(recordWords.localTime);
    expect(JSON.parse(run.body ?? '').due.date).toBe(new Date('2026-12-01T18:00').getTime());
  });

  it.each([
    ['due.date="20261201"', '2026-12-01T18:00'],
    ['due.date=2026-02-30', 'due.date: 2026-02-30'],
    ['due.date=1.5', 'due.date: expected an integer, found the number 1.5'],
    ['history[0].date=soon', '2026-12-01T18:00'],
    ['language=42', '--set-string language=42'],
    ['uses.items=online', `--set 'uses.items[+]=online'`],
    ['tags=deu', `--set 'tags=["deu"]'`],
    ['instructions=@nobody', '--set-string instructions=@nobody'],
    ['x={"a":1,"a":2}', '"a" at line 1, column 8'],
  ])('%s is refused, and nothing is sent', async (text, message) => {
    expect(await refused([...create, '--set', text, '--set', 'due.tz=UTC'])).toContain(message);
  });

  it('is for times alone: a date in a text stays one', async () => {
    const run = await created('--set', 'instructions=2026-12-01', '--set', 'mine.date=2026-12-01');
    expect(run.body).toBe('{"instructions":"2026-12-01","mine":{"date":"2026-12-01"}}');
  });
});

describe('--set', () => {
  it('[+] appends, and makes the array that is missing', async () => {
    const run = await created('--set', 'tags[+]=a', '--set', 'tags[+]=b', '--set', 'm[+].name=x');
    expect(run.body).toBe('{"tags":["a","b"],"m":[{"name":"x"}]}');
  });

  it.each([
    [...create, '--unset', 'tags[+]'],
    ['asset', 'get', 'a', '--columns', 'tags[+]'],
  ])('[+] is for setting alone: %s %s', async (...argv) => {
    await refused(argv);
  });

  const yaml = 'items: [online]\nbig: 9007199254740993\n';
  it.each([
    ['is the text of the file, as it is', 'notes.txt', '42\nzwei\n', '"42\\nzwei\\n"'],
    ['of YAML is what it holds', 'a.yaml', yaml, '{"items":["online"],"big":9007199254740993}'],
    ['that holds null sets null', 'none.json', 'null', 'null'],
  ])('@FILE %s', async (_name, name, content, value) => {
    const file = temporaryFile(content, name);
    expect((await created('--set', `mine=@${file}`)).body).toBe(`{"mine":${value}}`);
  });

  it('@FILE is a text in --set-string', async () => {
    expect((await created('--set-string', 'instructions=@nobody')).body).toContain('"@nobody"');
  });
});

describe('YAML', () => {
  it.each([
    ['a: &x {b: 1}\nc:\n  <<: *x\n', 'merge key', 'line 3, column 3'],
    ['a: 1\nb: !!binary aGk=\n', '!!binary', 'line 2'],
    ['b: !mine x\n', '!mine', 'line 1'],
    ['b: !!int 3.5\n', '!!int', 'line 1'],
  ])('%j means more than JSON, and is refused', async (stdin, message, place) => {
    const stderr = await refused(['wr', 'create', '-f', '-'], { stdin });
    for (const fact of [message, place]) expect(stderr).toContain(fact);
  });
});
