import { describe, expect, it } from 'vitest';
import { offered } from '../completion/harness.ts';
import { assetService } from '../harness/assetService.ts';
import { mar, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import { refused } from '../harness/marWith.ts';
import { recordService } from '../harness/recordService.ts';
import { storedAccount } from '../harness/storedAccount.ts';

const request = {
  _id: 'wr-1',
  status: 'in-progress',
  territory: 'FRA',
  assetType: 'trailer.intl',
  dng: { dialogue: ['subtitled'], graphics: ['localized'], narration: ['voice-over'] },
  uses: { items: ['online'] },
  asset: { _id: 'a-1', workflow: { phase: 'WIP', definition: { phases: { WIP: {}, DONE: {} } } } },
};

/** A service at which one work request was shown, and so its values were seen. */
async function prepare(records: Record<string, string> = {}) {
  const service = await recordService({
    '/workrequests': '{"_id":"wr-9"}',
    '/workrequests/wr-1': JSON.stringify(request),
    '/translations': '{"_id":"t-9"}',
    '/events': '{"_id":"e-9"}',
    '/assets/a-1': '{"_id":"a-1","usage":{"online":true,"dcp":false}}',
    ...records,
  });
  const env = storedAccount(temporaryFolder(), service.env.MAR_BASE_URL ?? '');
  await mar(['wr', 'get', 'wr-1'], { env });
  service.paths.length = 0;
  const posts = () =>
    service.paths.filter((one) => /^\/(?:workrequests|translations|events)$/.test(one));
  return { env, posts, run: (argv: readonly string[]) => mar(argv, { env }) };
}

/** Needs a use or a treatment to be an order. */
const create = ['wr', 'create', '--asset', 'a-1', '--language', 'fra'];

const fields: [string, unknown, string][] = [
  ['status', 'in-progres', 'unknown status "in-progres" (did you mean "in-progress"?)'],
  ['status', 'awaiting-material', 'did you mean "awaiting-materials"?'],
  ['territory', 'FRNACE', 'territory FRNACE: not a known territory; did you mean FRA (France)?'],
  ['territory', 'FAR', 'did you mean FRA (France)?'],
  ['territory', 'FR', 'did you mean FRA (France)?'],
  ['language', 'fraa', 'language fraa: not a language code of ISO 639'],
  ['assetType', 'trailer.itnl', 'unknown asset type "trailer.itnl" (did you mean "trailer.intl"?)'],
  ['uses.items', ['onlien'], 'unknown use "onlien" (did you mean "online"?)'],
  ['dng.dialogue', ['subtitlde'], 'unknown dialogue treatment "subtitlde"'],
  ['dng.graphics', ['localised'], 'did you mean "localized"?'],
  ['due.tz', 'Europe/Pairs', 'unknown time zone "Europe/Pairs" (did you mean "Europe/Paris"?)'],
  ['dng.narration', ['voiceover'], 'did you mean "voice-over"?'],
];

describe('a value that is probably a typo is refused', () => {
  it('although no record was seen, if help names the value', async () => {
    const argv = ['wr', 'create', '--set', 'language=fra', '--dialogue', 'subtiteld'];
    expect(await refused(argv)).toContain('did you mean "subtitled"?');
  });

  it.each(fields)('in --set: %s %j', async (field, value, problem) => {
    const { run, posts } = await prepare();
    const argv = ['wr', 'create', '--set', `${field}=${JSON.stringify(value)}`];
    const { code, stderr } = await run(argv);
    expect(stderr).toContain(problem);
    expect(stderr).toContain(
      'Nothing was sent. Correct it, or send it as it is with --skip-checks=',
    );
    expect({ code, posts: posts() }).toEqual({ code: 2, posts: [] });
    expect((await run([...argv, '--skip-checks'])).code).toBe(0);
    expect(posts()).toHaveLength(1);
  });

  const record = { territory: 'FRNACE', dng: { dialogue: ['subtitlde'] } };
  it.each([
    ['-f', 'record.json', JSON.stringify(record)],
    ['--batch', 'rows.jsonl', `${JSON.stringify(record)}\n`],
    ['--batch', 'rows.csv', 'territory,dng.dialogue\nFRNACE,subtitlde\n'],
  ])('in %s %s', async (flag, name, text) => {
    const { run, posts } = await prepare();
    const { code, stderr } = await run(['wr', 'create', flag, temporaryFile(text, name)]);
    expect(stderr).toContain('did you mean FRA (France)?');
    expect(stderr).toContain('did you mean "subtitled"?');
    expect({ code, posts: posts() }).toEqual({ code: 2, posts: [] });
  });

  it('in the editor, which opens again', async () => {
    const { env, posts } = await prepare();
    const script = temporaryFile(
      `const fs = require('node:fs'); const file = process.argv[2];
       const isAgain = fs.readFileSync(file, 'utf8').includes('did you mean FRA (France)?');
       fs.writeFileSync(file, '{asset: {_id: a-1}, language: fra, auto: true, territory: ' + (isAgain ? 'FRA' : 'FRNACE') + '}');`,
      'editor.cjs',
    );
    const editor = { ...env, EDITOR: `${process.execPath} ${script}` };
    const { code, stderr } = await mar(['wr', 'create', '--edit'], { env: editor });
    expect(code, stderr).toBe(0);
    expect(posts()).toHaveLength(1);
  });

  it('in the status of a translation and the type of an event', async () => {
    const { run, posts } = await prepare();
    const submit = ['translation', 'submit', '--set', 'language=fra', '--set', 'status=submited'];
    expect((await run(submit)).stderr).toContain('did you mean "submitted"?');
    const event = ['event', 'put', '--set', '_id=e-1', '--type', 'wma', '--file-id', 'f-1'];
    expect((await run(event)).stderr).toContain('did you mean "wam"?');
    expect(posts()).toEqual([]);
  });
});

describe('a value that was not seen before', () => {
  it('is sent with a warning if it is close to nothing', async () => {
    const { run, posts } = await prepare();
    const { code, stderr } = await run([...create, '--dialogue', 'dubbed']);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: the dialogue treatment "dubbed" is new to mar');
    const region = await run([...create, '--use', 'online', '--territory', 'LATAM']);
    expect(region).toMatchObject({ code: 0 });
    expect(region.stderr).toContain('warning: territory LATAM is new to mar and will be sent');
    expect(posts()).toHaveLength(2);
  });

  it('is a country code that the service has not used yet', async () => {
    const { run } = await prepare();
    expect((await run([...create, '--use', 'online', '--territory', 'DEU'])).code).toBe(0);
  });
});

describe('an asset', () => {
  it('gets no phase that its workflow does not have', async () => {
    const phases = '{"WIP":{},"DONE":{}}';
    const record = `{"_id":"a-1","workflow":{"phase":"WIP","definition":{"phases":${phases}}}}`;
    const service = await assetService(record);
    const put = (phase: string) =>
      mar(['asset', 'put', 'a-1', '--set', `workflow.phase=${phase}`], service);
    expect(await put('SHIPPED')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown phase "SHIPPED" (this record has WIP, DONE)'),
    });
    expect(service.text).toBe(record);
    expect((await put('DONE')).code).toBe(0);
  });

  it('is not ordered for a use that it is not for, or if it does not exist', async () => {
    const { run, posts } = await prepare();
    const order = (asset: string, use: string) =>
      run(['wr', 'create', '--asset', asset, '--language', 'fra', '--use', use]);
    expect(await order('a-1', 'dcp')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('asset a-1 is not for the use dcp (its uses: online)'),
    });
    expect((await order('a-2', 'online')).code).toBe(5);
    expect(posts()).toEqual([]);
    expect((await order('a-1', 'online')).code).toBe(0);
  });
});

describe('wr wait', () => {
  const record = '{"_id":"wr-2","status":"complete","$statuses":["complete","in-progress"]}';

  it.each(['compelte', 'nothing-like-it'])('refuses the status %s at once', async (status) => {
    const { run } = await prepare({ '/workrequests/wr-2': record });
    const waited = await run(['wr', 'wait', 'wr-2', '--status', status]);
    expect(waited.code).toBe(2);
    expect(waited.stderr).toContain(`unknown status "${status}"`);
    expect(waited.stderr).toContain('Known statuses: complete, in-progress');
  });

  it('takes a status in any case', async () => {
    const { run } = await prepare({ '/workrequests/wr-2': record });
    expect((await run(['wr', 'wait', 'wr-2', '--status', 'Complete'])).code).toBe(0);
  });
});

describe('Tab offers', () => {
  it.each([
    [['wr', 'create', '--territory', ''], 'FRA'],
    [['wr', 'create', '--dialogue', ''], 'subtitled'],
    [['wr', 'create', '--use', ''], 'online'],
    [['wr', 'create', '--language', ''], 'fra'],
    [['wr', 'create', '--tz', 'Europe/'], 'Europe/Paris'],
    [['wr', 'create', '--set', 'lan'], 'language='],
    [['wr', 'create', '--set', 'due'], 'due.date='],
    [['asset', 'put', 'a-1', '--set', ''], 'usage.online='],
    [['wr', 'wait', 'wr-1', '--status', ''], 'in-progress'],
    [['translation', 'submit', '--status', ''], 'submitted'],
    [['event', 'put', '--type', ''], 'wam'],
  ])('after %j: %s', async (words, value) => {
    const { env } = await prepare();
    expect(await offered(words, env)).toContain(value);
  });
});
