import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { listsService } from '../../harness/listsService.ts';
import { mar, marOk, startMar, temporaryFolder } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const download = {
  _id: 'd-1',
  created: 1_796_144_400_500,
  user: 'u-1',
  file: { _id: 'f-1', name: 'a.mov' },
  asset: { _id: 'a-1', name: 'Trailer, A', type: 'tvspot' },
  project: { _id: 'p-1', name: 'Harbor' },
};

/** A service that has one download, at an account that remembers the users. */
async function prepare() {
  const users = [{ _id: 'u-1', name: 'Inês' }];
  const service = await listsService({ '/downloads': [download], '/session': users });
  const env = { ...service.env, MAR_STATE_DIR: temporaryFolder() };
  await marOk(['user', 'list'], { env });
  return { env, run: (...argv: string[]) => marOk(argv, { env }) };
}

const listed = ['downloads', 'list', '--columns', 'user,asset._id,project'];

describe('--names', () => {
  it('adds the name beside the id of a user, an asset and a project', async () => {
    const { run } = await prepare();
    expect((await run(...listed, '-o', 'csv', '--names')).stdout).toBe(
      'user,user.name,asset._id,asset.name,project,project.name\r\n' +
        'u-1,Inês,a-1,"Trailer, A",p-1,Harbor\r\n',
    );
    expect((await run(...listed, '-o', 'tsv', '--names')).stdout).toBe(
      'u-1\tInês\ta-1\tTrailer, A\tp-1\tHarbor\n',
    );
    expect((await run(...listed, '-o', 'tsv')).stdout).toBe('u-1\ta-1\tp-1\n');
  });

  it('adds no second column for a name that is there', async () => {
    const { run } = await prepare();
    const { stdout } = await run('downloads', 'list', '-o', 'csv', '--names');
    expect(stdout.split('\r\n')[0]).toBe(
      'created,user,user.name,file.name,asset._id,asset.name,project.name,_id',
    );
  });

  it('leaves the name of an unknown user empty, and JSON unchanged', async () => {
    const server = await recordingServer(JSON.stringify([download]));
    const csv = await marOk([...listed, '-o', 'csv', '--names'], server);
    expect(csv.stdout).toContain('\r\nu-1,,a-1,"Trailer, A",p-1,Harbor\r\n');
    const json = await marOk(['downloads', 'list', '--names', '--jsonl'], server);
    expect(json.stdout).toBe(`${JSON.stringify(download)}\n`);
  });

  it('keeps the id of a user in a sheet, beside the name', async () => {
    const { env } = await prepare();
    const run = startMar([...listed, '-o', 'xlsx', '--names'], { env });
    expect((await run.ended).code).toBe(0);
    const { sheets } = await readXlsx(Buffer.concat(run.stdout.chunks));
    expect(sheets[0]?.rows[1]?.slice(0, 2)).toEqual(['u-1', 'Inês']);
  });

  it('adds names to the rows of a single record', async () => {
    const record = '{"_id":"n-1","to":"u-1","title":"x"}';
    const server = await recordingServer(record);
    const argv = ['notification', 'show', 'n-1', '--columns', 'to,title', '--names'];
    const { stdout } = await marOk(argv, server);
    expect(stdout).toBe('to\tu-1\nto.name\t\ntitle\tx\n');
  });
});

describe('--times iso', () => {
  const request = {
    _id: 'wr-1',
    created: 1_796_144_400_999,
    due: { date: 1_796_144_400, tz: 'Europe/Berlin' },
    history: [{ date: 1_796_144_400_000_000, status: 'new' }],
    mine: 1_796_144_400_000,
    translation: { lines: [{ number: 1, range: [0.5, 1.25] }] },
    big: 12_345_678_901_234_567_890n,
  };
  const text = JSON.stringify(request, (_, value) =>
    typeof value === 'bigint' ? 'BIG' : value,
  ).replace('"BIG"', '12345678901234567890');
  const iso = text
    .replace('1796144400999', '"2026-12-01T17:00:00Z"')
    .replace('"date":1796144400,', '"date":"2026-12-01T17:00:00Z",')
    .replace('1796144400000000', '"2026-12-01T17:00:00Z"');

  it('prints documented times in whole seconds, and everything else unchanged', async () => {
    const server = await recordingServer(text);
    const get = ['wr', 'get', 'wr-1'];
    expect((await marOk([...get, '--json'], server)).stdout).toBe(`${text}\n`);
    expect((await marOk([...get, '--json', '--times', 'iso'], server)).stdout).toBe(`${iso}\n`);
    const yaml = await marOk([...get, '-o', 'yaml', '--times', 'iso'], server);
    expect(yaml.stdout).toContain('created: "2026-12-01T17:00:00Z"\n');
    expect(yaml.stdout).toContain('mine: 1796144400000\n');
  });

  it('applies to lists, and to what a filter reads', async () => {
    const server = await recordingServer(JSON.stringify([download]));
    const list = ['downloads', 'list', '--times', 'iso'];
    for (const format of ['--json', '--jsonl']) {
      const { stdout } = await marOk([...list, format], server);
      expect([JSON.parse(stdout)].flat()[0].created).toBe('2026-12-01T17:00:00Z');
    }
    const filtered = await marOk([...list, '--jq', '.created | fromdate'], server);
    expect(filtered.stdout).toBe('1796144400\n');
    const slurped = await marOk([...list, '--jq-slurp', '.[0].created'], server);
    expect(slurped.stdout).toBe('2026-12-01T17:00:00Z\n');
  });

  it('applies to any request', async () => {
    const server = await recordingServer('{"due":{"date":1796144400000}}');
    const run = await marOk(['api', '/workrequests/wr-1', '--json', '--times', 'iso'], server);
    expect(run.stdout).toBe('{"due":{"date":"2026-12-01T17:00:00Z"}}\n');
  });

  it('does not change the request of a dry run', async () => {
    const server = await recordingServer('{}');
    const set = ['wr', 'create', '--set', 'due.date=1896144400000', '--dry-run', '--skip-checks'];
    const run = await mar([...set, '--json', '--times', 'iso'], server);
    expect(JSON.parse(run.stdout).request.body.due.date).toBe(1_896_144_400_000);
  });

  it('refuses any other form', async () => {
    expect(await refused(['downloads', 'list', '--times', 'rfc'])).toMatch(/--times.*\biso\b/s);
  });
});
