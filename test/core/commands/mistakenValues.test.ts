import { describe, expect, it } from 'vitest';
import { assetService } from '../../harness/assetService.ts';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { factsIn, failure, refused } from '../../harness/marWith.ts';
import { requestWords } from '../../words/requests.ts';
import { offered } from '../completion/harness.ts';
import { order, shop } from '../orders/shop.ts';
import { prepare } from './seenValues.ts';

/** Needs a use or a treatment to be an order. */
const create = ['wr', 'create', '--asset', 'a-1', '--language', 'fra'];

describe('a value that is probably a typo is refused', () => {
  it.each([
    ['status', 'awaiting-material', 'awaiting-materials'],
    ['territory', 'FRNACE', 'FRA'],
    ['language', 'fraa', undefined],
    ['assetType', 'trailer.itnl', 'trailer.intl'],
    ['uses.items', ['onlien'], 'online'],
    ['dng.dialogue', ['subtitlde'], 'subtitled'],
    ['due.tz', 'Europe/Pairs', 'Europe/Paris'],
  ])('in --set: %s %j', async (path, value, suggestion) => {
    const { run, posts } = await prepare();
    const argv = ['wr', 'create', '--set', `${path}=${JSON.stringify(value)}`];
    const { fields, hint } = factsIn(await failure(2, run([...argv, '--json'])));
    const [{ check, message: _, ...facts }] = fields;
    expect(facts).toEqual({ path, value: [value].flat()[0], suggestion });
    // The flag is for people alone.
    expect(hint).not.toContain('--skip-checks');
    expect(await failure(2, run(argv))).toContain(`--skip-checks=${check}`);
    expect(posts()).toEqual([]);
    expect((await run([...argv, '--skip-checks'])).code).toBe(0);
    expect(posts()).toHaveLength(1);
  });

  const record = { territory: 'FRNACE', dng: { dialogue: ['subtitlde'] } };
  it('in -f record.json', async () => {
    const { run, posts } = await prepare();
    const file = temporaryFile(JSON.stringify(record), 'record.json');
    const stderr = await failure(2, run(['wr', 'create', '-f', file]));
    expect(stderr).toContain(' FRA (France)?');
    expect(stderr).toContain(requestWords.didYouMean('subtitled'));
    expect(posts()).toEqual([]);
  });

  it.each([
    ['translation submit --set language=fra --set status=submited', 'submitted'],
    ['wr create --set language=fra --dialogue subtiteld', 'subtitled'],
  ])('in mar %s', async (line, meant) => {
    expect(await refused(line.split(' '))).toContain(requestWords.didYouMean(meant));
  });
});

it.each([
  ['--dialogue dubbed', /^warning: .* dialogue treatment "dubbed" /m],
  ['--use online --territory LATAM', /^warning: territory LATAM /m],
  // The API documents imax3d and dcp.
  ['--use imax2d --skip-checks=asset', /^warning: .* use "imax2d" /m],
  ['--use dcx --skip-checks=asset', /^warning: .* use "dcx" /m],
  ['--use online --territory DEU', /^(?![\s\S]*warning: territory)/],
])(
  'a value that is not documented is sent with a warning if it is close to nothing: %s',
  async (flags, warning) => {
    const { run, posts } = await prepare();
    const { code, stderr } = await run([...create, ...flags.split(' ')]);
    expect([code, posts().length], stderr).toEqual([0, 1]);
    expect(stderr).toMatch(warning);
  },
);

describe('an asset', () => {
  it('gets a phase that its workflow does not have with a warning', async () => {
    const phases = '{"WIP":{},"DONE":{}}';
    const record = `{"_id":"a-1","workflow":{"phase":"WIP","definition":{"phases":${phases}}}}`;
    const service = await assetService(record);
    const put = (phase: string) =>
      mar(['asset', 'put', 'a-1', '--set', `workflow.phase=${phase}`], service);
    const shipped = await put('SHIPPED');
    expect(shipped).toMatchObject({ code: 0, stderr: expect.stringContaining('SHIPPED') });
    expect((await put('DONE')).code).toBe(0);
  });

  it('is not ordered for a use that it is not for, or if it does not exist', async () => {
    const { run, posts } = await prepare();
    const order = (asset: string, use: string) =>
      run(['wr', 'create', '--asset', asset, '--language', 'fra', '--use', use]);
    const otherUse = `${requestWords.notForUse('dcp')} (its uses: online)`;
    expect(await failure(2, order('a-1', 'dcp'))).toContain(otherUse);
    await failure(5, order('a-2', 'online'));
    expect(posts()).toEqual([]);
    expect((await order('a-1', 'online')).code).toBe(0);
  });
});

it.each([
  ['wr create --territory ', 'FRA'],
  ['wr create --dialogue ', 'subtitled'],
  ['wr create --use ', 'online'],
  ['wr create --language ', 'fra'],
  ['wr create --tz Europe/', 'Europe/Paris'],
  ['wr create --set lan', 'language='],
  ['wr create --set due', 'due.date='],
  ['asset put a-1 --set ', 'usage.online='],
  ['translation submit --status ', 'submitted'],
  ['event put --type ', 'wam'],
])('Tab offers after mar %s%s', async (line, value) => {
  const { env } = await prepare();
  expect(await offered(line.split(' '), env)).toContain(value);
});

it('a recipient whose id is a slip of a known user is refused, another one is sent', async () => {
  const { run, count } = await shop();
  const before = await count();
  const orderTo = (user: string, ...more: string[]) =>
    run([...order, '--set', `recipients.Online=["${user}"]`, ...more]);
  expect((await run(['user', 'list', '--all'])).code).toBe(0);
  const stderr = await failure(2, orderTo('u-gretta'));
  expect(stderr).toContain(
    'recipients.Online: unknown user "u-gretta" (did you mean u-greta, Greta Vogel?)',
  );
  expect(stderr).toContain('--skip-checks=user');
  expect(await count()).toBe(before);
  expect((await orderTo('u-greta')).code).toBe(0);
  expect((await orderTo('vendor@subs.example', '--again')).code).toBe(0);
  expect((await orderTo('u-gretta', '--again', '--skip-checks=user')).code).toBe(0);
  expect(await count()).toBe(before + 3);
});
