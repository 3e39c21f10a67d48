import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mar, type RunOptions, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { recordingServer, withAssets } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';

/** Runs `wr create`, and returns the body that was sent. */
async function create(
  argv: readonly string[],
  options: RunOptions & { responses?: string[] } = {},
) {
  const { responses = ['{"_id":"wr-9"}'], ...rest } = options;
  const server = await recordingServer(withAssets(...responses));
  const env = { ...server.env, ...rest.env };
  const run = await mar(['wr', 'create', ...argv], { ...rest, env });
  const posts = server.requests.filter((request) => request.startsWith('POST'));
  const text = posts[0]?.split('\r\n\r\n')[1];
  const body = text === undefined ? undefined : JSON.parse(text);
  return { ...run, posts: posts.length, text, body };
}

/** Expects that nothing is ordered, and returns the message. */
async function refusal(run: ReturnType<typeof create>): Promise<string> {
  const { code, posts, stderr } = await run;
  expect({ code, posts }, stderr).toEqual({ code: 2, posts: 0 });
  return stderr;
}

const whole = ['--asset', 'a-1', '--language', 'fra', '--use', 'online'];

/** Variables for an editor that writes what this JavaScript makes of the `text` of the file. */
const editor = (content: string) => {
  const script = `const fs = require('node:fs'); const file = process.argv[2];
    const text = fs.readFileSync(file, 'utf8'); fs.writeFileSync(file, ${content});`;
  const EDITOR = `${process.execPath} ${temporaryFile(script, 'editor.cjs')}`;
  return { MAR_STATE_DIR: temporaryFolder(), EDITOR };
};

it.each([
  ['an unknown field', 'langauge: fra', requestWords.didYouMean('language')],
  ['a typo in a value', 'dng: {dialogue: [subtiteld]}', requestWords.didYouMean('subtitled')],
  ['a missing field', '', requestWords.missing('language')],
  ['a due date in the past', 'due: {date: 2020-01-01, tz: UTC}', ': 2020-01-01 23:59 UTC'],
])('the editor opens again after %s, with the text and the reason', async (_, mistake, reason) => {
  const start = 'asset: {_id: a-1}\nauto: true\n';
  const isAgain = `text.includes(${JSON.stringify(reason)}) && text.includes(${JSON.stringify(mistake)})`;
  const [wrong, right] = [mistake, 'language: fra'].map((one) => JSON.stringify(start + one));
  const env = editor(`${isAgain} ? ${right} : ${wrong}`);
  const { code, stderr, body } = await create(['--edit'], { env });
  expect(code, stderr).toBe(0);
  expect(body).toEqual({ asset: { _id: 'a-1' }, auto: true, language: 'fra' });
});

describe('the flags of wr create', () => {
  it('send the documented form of each field', async () => {
    const argv = [
      ...['--asset', 'a-1001', '--language', 'deu', '--territory', 'DEU'],
      ...['--due', '2026-12-01T18:00', '--tz', 'Europe/Berlin', '--skip-checks'],
      ...['--use', 'online', '--use', 'broadcast'],
      ...['--dialogue', 'subtitled', '--instructions', '007', '--tag', 'urgent', '--tag', '1'],
    ];
    const { code, stderr, text } = await create(argv);
    expect(code, stderr).toBe(0);
    expect(text).toBe(
      '{"asset":{"_id":"a-1001"},"language":"deu","territory":"DEU",' +
        '"due":{"date":1796144400000,"tz":"Europe/Berlin"},"uses":{"items":["online","broadcast"]},' +
        '"dng":{"dialogue":["subtitled"]},"instructions":"007","tags":["urgent","1"]}',
    );
    expect(stderr).not.toContain('warning');
  });

  it.each([
    ['2026-12-01', Date.UTC(2026, 11, 1, 14, 59)],
    ['2026-12-01T18:00', Date.UTC(2026, 11, 1, 9)],
    ['2026-12-01T18:00Z', Date.UTC(2026, 11, 1, 18)],
  ])('--due %s is in the zone of --tz', async (due, date) => {
    const { body } = await create(['--due', due, '--tz', 'Asia/Tokyo', '--skip-checks']);
    expect(body).toEqual({ due: { tz: 'Asia/Tokyo', date } });
  });

  it.each(['+14dT18:00', '+2wT18:00', '+14d 18:00'])(
    '--due %s is that time of day in the zone of --tz',
    async (due) => {
      const { body, stderr } = await create([...whole, '--due', due, '--tz', 'Asia/Tokyo']);
      expect(new Date(body.due.date).toISOString(), stderr).toMatch(/T09:00:00.000Z$/);
      const days = (body.due.date - Date.now()) / (24 * 3600 * 1000);
      expect(Math.abs(days - 14)).toBeLessThan(1);
    },
  );

  it('without --tz use the zone of the record, or else the local one', async () => {
    const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const { body } = await create(['--due', '2026-12-01T18:00', '--skip-checks']);
    expect(body.due).toEqual({ tz: local, date: new Date('2026-12-01T18:00').getTime() });
    const stdin = '{"due":{"tz":"Asia/Tokyo"}}';
    const kept = await create(['-f', '-', '--due', '2026-12-01T18:00', '--skip-checks'], { stdin });
    expect(kept.body.due).toEqual({ tz: 'Asia/Tokyo', date: Date.UTC(2026, 11, 1, 9) });
  });

  it.each(['Foo/Bar', ''])('are UTC if Node does not know TZ=%s', async (zone) => {
    vi.stubEnv('TZ', zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { body } = await create(['--due', '2026-12-01T18:00', '--skip-checks']);
    expect(body.due).toEqual({ tz: 'UTC', date: Date.UTC(2026, 11, 1, 18) });
  });

  it('come after a file and before --set', async () => {
    const stdin =
      '{"asset":{"_id":"a-1"},"language":"fra","territory":"FRA","tags":["x"],"uses":{"items":["dcp"],"details":{"dcp":[],"online":[]}}}';
    const flags = ['--language', 'deu', '--tag', 'x', '--tag', 'y', '--use', 'online'];
    const argv = ['-f', '-', ...flags, '--set', 'territory=AUT'];
    const { body } = await create(argv, { stdin });
    const uses = { items: ['online'], details: { online: [] } };
    const codes = { language: 'deu', territory: 'AUT' };
    expect(body).toEqual({ asset: { _id: 'a-1' }, ...codes, tags: ['x', 'y'], uses });
  });

  it.each([
    ['--due someday', '--due someday: due.date'],
    ['--due 2026-02-30', 'due.date: 2026-02-30'],
    ['--due +14d --tz Mars/Olympus', /--tz: .*"Mars\/Olympus"/],
    ['--due +14dT25:00', 'due'],
    ['--due +14dT9', 'due'],
    ['--due +36hT18:00', 'due'],
    ['--due +14dT18:00Z', 'due'],
    ['--language fra --tz UTC', '--tz needs --due'],
    ['--asset=', requestWords.empty('--asset')],
    ['--tag=', requestWords.empty('--tag')],
    ['--like wr-1 -f -', '--like and --file'],
    // Node reads bytes that are not UTF-8 like this.
    ['--set instructions=caf\ufffd', requestWords.notUtf8],
    ['--set instructions=caf\ufffd --skip-checks', requestWords.notUtf8],
    ['--like wr-\ufffd', requestWords.notUtf8],
  ])('%s is refused by its name, and nothing is sent', async (argv, message) => {
    expect(await refusal(create(argv.split(' ')))).toMatch(message);
  });
});

it('an id in place of a documented object is sent as typed, and noted, which an object is not', async () => {
  const ids = ['--set', 'asset=a-1', '--set', 'project=p-1', '--skip-checks'];
  const { text, stderr } = await create(ids);
  expect(text).toBe('{"asset":"a-1","project":"p-1"}');
  expect(stderr).toMatch(/field asset .*\n.*--set asset\._id=ID or --asset ID/);
  expect(stderr).toMatch(/field project .*\n.*--set project\._id=ID/);
  const object = await create(['--set', 'asset._id=a-1', '--skip-checks']);
  expect(object.text).toBe('{"asset":{"_id":"a-1"}}');
  expect(object.stderr).not.toContain('field asset');
});

it('a table in -f is refused, with the flag that reads it', async () => {
  const file = temporaryFile('asset,language\na-1,fra\n', 'orders.csv');
  expect(await refusal(create(['-f', file]))).toContain('use --batch FILE');
  const workbook = temporaryFile('', 'orders.xlsx');
  writeFileSync(workbook, Buffer.from([0x50, 0x4b, 0xff]));
  const refused = await refusal(create(['-f', workbook]));
  for (const words of ['is a workbook', 'use --batch FILE']) expect(refused).toContain(words);
});

describe('dates in files', () => {
  it.each([
    ['{"due":{"date":"2026-12-01T18:00","tz":"Europe/Berlin"}}', [], 1_796_144_400_000],
    ['due:\n  date: 2026-12-01T18:00\n  tz: Europe/Berlin\n', [], 1_796_144_400_000],
    ['{"due":{"date":1796144400000}}', [], 1_796_144_400_000],
    ['due: {date: 2026-12-01T18:00}', ['--set', 'due.tz=Asia/Tokyo'], Date.UTC(2026, 11, 1, 9)],
  ])('%j with %j is sent as the number of the service', async (stdin, flags, date) => {
    const argv = ['-f', '-', '--skip-checks', ...flags];
    const { code, stderr, body } = await create(argv, { stdin });
    expect(code, stderr).toBe(0);
    expect(body.due.date).toBe(date);
  });

  it('that are no dates are refused by their field', async () => {
    const stdin = '{"due":{"date":"someday"}}';
    expect(await refusal(create(['-f', '-'], { stdin }))).toMatch(/due\.date: .*"someday"/);
  });

  it('work in the form of --template, which shows one', async () => {
    const form = await mar(['wr', 'create', '--template'], await recordingServer('{}'));
    expect(form.stdout).toMatch(/^# {2}date: "\+14dT18:00"$/m);
    expect(form.stdout).toMatch(/^#asset:\n# {2}_id: ""/m);
    const [due = ''] = /^#due:\n#.*\n#.*\n/m.exec(form.stdout) ?? [];
    const stdin = due.replaceAll(/^#/gm, '').replace('tz: ""', 'tz: UTC');
    const { body, stderr } = await create(['-f', '-', ...whole], { stdin });
    expect(new Date(body?.due.date).toISOString(), stderr).toMatch(/T18:00:00/);
  });

  it('work in the editor', async () => {
    const env = editor("'due: {date: 2026-12-01T18:00, tz: UTC}'");
    const { body, stderr } = await create(['--edit', '--skip-checks'], { env });
    expect(body, stderr).toEqual({ due: { date: Date.UTC(2026, 11, 1, 18), tz: 'UTC' } });
  });
});

it.each([
  [['--due', '2020-01-01', '--tz', 'UTC'], ''],
  [['--set', 'due.date=2020-01-01T18:00Z'], ''],
  [['-f', '-'], 'due: {date: 2020-01-01T18:00, tz: Europe/Paris}'],
  [['-f', '-'], '{"due":{"date":1577898000000}}'],
])('a due date in the past is refused, and --skip-checks sends it: %j %s', async (argv, stdin) => {
  const stderr = await refusal(create([...argv, ...whole], { stdin }));
  expect(stderr).toMatch(/^error: due\.date .*: 2020-01-01 .*\n.*--skip-checks=due$/m);
  expect(await create([...argv, '--skip-checks'], { stdin })).toMatchObject({ posts: 1 });
});

describe('wr create --like', () => {
  const future = Date.now() + 30 * 24 * 3600 * 1000;
  const original = {
    _id: 'wr-1',
    status: 'complete',
    history: [{ date: 1 }],
    estimate: { base: '1' },
    files: [{ name: 'x' }],
    audioFile: 'f-1',
    urls: { view: 'https://desk.example/:workRequest' },
    $links: { self: '//media.example/api/workrequests/wr-1' },
    rejections: [],
    from: { _id: 'u' },
    asset: { _id: 'a-1', name: 'x', $links: { self: '//media.example/api/assets/a-1' } },
    project: { _id: 'p-1', name: 'y' },
    uses: { items: ['online'] },
    language: 'fra',
    territory: 'FRA',
    due: { date: future, tz: 'Europe/Paris' },
    tags: ['paris'],
    recipients: { Online: ['u-1'], Dcp: [] },
    instructions: 'En français',
    materials: [{ name: 'm', complete: true, approved: true, files: ['f'] }],
    translation: { _id: 't' },
    created: 5,
    big: 'BIG',
  };
  const like = (argv: readonly string[], changes: object = {}) => {
    const text = JSON.stringify({ ...original, ...changes }).replace('"BIG"', '9007199254740993');
    return create(['--like', 'wr-1', ...argv], { responses: [text, '{"_id":"wr-9"}'] });
  };

  it('copies the request and never estimate, history, state, files or links', async () => {
    const { code, stderr, body, text } = await like(['--language', 'deu']);
    expect(code, stderr).toBe(0);
    const { territory, due, tags, recipients, instructions, uses } = original;
    expect(body).toEqual({
      ...{ asset: { _id: 'a-1' }, project: { _id: 'p-1' }, uses, language: 'deu' },
      ...{ territory, due, tags, recipients, instructions },
      materials: [{ name: 'm', complete: false, approved: false, files: [] }],
      big: expect.any(Number),
    });
    expect(text).toContain('"big":9007199254740993');
    for (const line of [
      'Copied from wr-1: asset, project, uses, territory, due, tags, recipients, instructions, materials, big',
      'Set by you: language',
    ]) {
      expect(stderr).toContain(`${line}\n`);
    }
    // What the service makes is in no copy.
    expect(stderr).not.toContain(requestWords.notCopied);
    expect(stderr).not.toContain(requestWords.unknownField);
  });

  it('leaves out a copied delivery deadline that is before the new due date', async () => {
    const deliveryDeadline = { date: Date.now() + 4 * 86_400_000, tz: 'Europe/Paris' };
    const due = (date: string, ...more: string[]) =>
      like(['--due', date, ...more], { deliveryDeadline });
    const later = await due('+14d');
    expect(later.body).not.toHaveProperty('deliveryDeadline');
    expect(later.stderr).toContain(`${requestWords.notCopied} deliveryDeadline, `);
    expect((await due('+2d')).body).toHaveProperty('deliveryDeadline');
    const own = due('+14d', '--set', 'deliveryDeadline.date=+3d');
    expect(await refusal(own)).toMatch(/deliveryDeadline\.date .*--unset/s);
  });

  it('copies no facts of the asset to an order for another one', async () => {
    const facts = { studio: 's-1', assetType: 'promo', assetCategory: 'av', aspectRatio: '16:9' };
    const other = await like(['--asset', 'a-2'], facts);
    for (const field of ['project', ...Object.keys(facts)]) {
      expect(other.body).not.toHaveProperty(field);
    }
    expect(other.body).toMatchObject({ asset: { _id: 'a-2' }, tags: ['paris'] });
    const own = await like(['--asset', 'a-2', '--set', 'project=p-2'], facts);
    expect(own.body).toHaveProperty('project');
    expect((await like(['--language', 'deu'], facts)).body).toMatchObject(facts);
  });

  it('shows the fields that still belong to the old language, and how to change them', async () => {
    const all = await like(['--language', 'deu', '--tag', 'berlin']);
    expect(all.body.tags).toEqual(['paris', 'berlin']);
    expect(all.stderr).toContain(
      [
        'warning: the language changes, but these fields are still those of wr-1 (fra):',
        '  territory     "FRA"',
        '  due.tz        "Europe/Paris"',
        '  tags          ["paris"]',
        '  recipients    {"Online":["u-1"]}',
        '  instructions  "En français"',
        'For other values, use --territory, --set FIELD=VALUE or --unset FIELD.',
        '',
      ].join('\n'),
    );
    const some = await like([
      ...['--language', 'deu', '--territory', 'DEU', '--tz', 'Europe/Berlin', '--unset', 'tags'],
      ...['--instructions', 'Auf Deutsch'],
    ]);
    expect(some.stderr.match(/^ {2}[\w.]+(?= {2})/gm)).toEqual(['  recipients']);
    expect((await like(['--territory', 'CAN'])).stderr).not.toContain('warning');
  });

  it('shows the recipients of the old language that stay beside those that were set', async () => {
    const recipients = { Broadcast: ['u-1', 'u-2'], Online: ['u-1'] };
    const set = ['--set', 'recipients.Online=["u-9"]', '--language', 'deu'];
    const { stderr } = await like(set, { recipients });
    expect(stderr).toContain('  recipients    {"Broadcast":["u-1","u-2"]}\n');
    expect(stderr).toContain('Set by you: language, recipients.Online\n');
  });

  it('shows a long old value whole, and no control characters of it', async () => {
    const instructions = `\u001b[31m${'long '.repeat(400)}end`;
    const { stderr } = await like(['--language', 'deu'], { instructions });
    expect(stderr).toMatch(/^ {2}instructions {2}".*31m(long ){400}end"$/m);
    expect(stderr).not.toContain('\u001b');
  });

  it('needs another due date if the old one is over, and leaves out such a delivery deadline', async () => {
    const over = { date: 1_700_000_000_000, tz: 'UTC' };
    const german = (...more: string[]) => like(['--language', 'deu', ...more], { due: over });
    expect(await refusal(german())).toMatch(/due\.date .*: 2023-11-14 22:13 UTC/);
    await refusal(german('--tz', 'Asia/Tokyo'));
    expect((await german('--due', '+14d')).code).toBe(0);
    expect((await german('--skip-checks')).body.due).toEqual(over);
    const { body, stderr } = await like(['--language', 'deu'], { deliveryDeadline: over });
    expect(body).not.toHaveProperty('deliveryDeadline');
    expect(stderr).toMatch(new RegExp(`^${requestWords.notCopied} deliveryDeadline, .*$`, 'm'));
  });

  it('needs --again for a copy without any difference', async () => {
    for (const same of [[], ['--language', 'fra'], ['--skip-checks']]) {
      const { code, posts, stderr } = await like(same);
      expect([code, posts, stderr]).toEqual([11, 0, expect.stringMatching(/ wr-1[\s\S]*--again/)]);
    }
    expect((await like(['--again'])).posts).toBe(1);
  });
});

describe('after a create', () => {
  const made = JSON.stringify({
    _id: '46e27',
    asset: { _id: 'a-1001', name: 'The Harbor Light – Trailer A' },
    language: 'deu',
    due: { date: Date.UTC(2031, 11, 1, 17), tz: 'Europe/Berlin' },
    urls: { view: 'https://desk.example/work-requests/:workRequest' },
    instructions: 'long text',
  });
  const run = (argv: readonly string[], columns?: number) =>
    create([...whole, ...argv], { responses: [made], columns, env: { NO_COLOR: '1' } });

  it('a terminal gets a short summary, with the web page and the id last', async () => {
    expect((await run([], 80)).stdout).toBe(
      [
        'Created work request 46e27 for The Harbor Light – Trailer A, deu, due 2031-12-01 18:00 Europe/Berlin',
        'Web page: https://desk.example/work-requests/46e27',
        'Id: 46e27',
        '',
      ].join('\n'),
    );
  });

  it('--show prints the whole card, and scripts see no change', async () => {
    const { stdout } = await run(['--show'], 80);
    expect(stdout).toContain('Work request 46e27');
    expect(stdout).toContain('long text');
    expect((await run(['--json'])).stdout).toBe(`${made}\n`);
    expect((await run(['--json'], 80)).stdout).toContain('"instructions": "long text"');
    expect((await run([])).stdout).toContain('instructions\tlong text\n');
    const picked = (await run(['--columns', '_id'], 80)).stdout;
    expect(picked).toContain('46e27');
    expect(picked).not.toContain('The Harbor Light');
  });

  it('an unsafe address is not printed', async () => {
    const responses = ['{"_id":"wr-9","urls":{"view":"javascript:alert(1)"}}'];
    const { stdout } = await create(whole, { responses, columns: 80 });
    expect(stdout).toMatch(/^.*wr-9\n.*wr-9\n$/);
  });
});
