import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../harness/jsonLines.ts';
import { type RunOptions, temporaryFile } from '../../harness/mar.ts';
import { factsIn, failure } from '../../harness/marWith.ts';
import { requestWords } from '../../words/requests.ts';
import { fetched, impossibleDates, inDays, service, whole, without } from './orderService.ts';

/** Runs a create that must be refused, and that --skip-checks sends. */
async function refused(argv: readonly string[], options: RunOptions = {}) {
  const { bodies, create } = await service();
  const { code, stderr } = await create(argv, options);
  expect({ code, bodies }, stderr).toEqual({ code: 2, bodies: [] });
  const sent = await create([...argv, '--skip-checks'], options);
  expect({ code: sent.code, sent: bodies.length }, sent.stderr).toEqual({ code: 0, sent: 1 });
  return stderr;
}

const flags = ['--asset', 'a-1', '--language', 'fra', '--use', 'online'];
describe('an order that is not whole', () => {
  it.each([
    ['--set instructions=hello', ['asset', 'language', 'uses.items']],
    ['--language fra --use online', ['asset']],
    ['--set asset._id= --language fra --use online', ['asset']],
    ['--asset a-1 --dialogue subtitled', ['language']],
    ['--asset a-1 --language fra', ['uses.items']],
    ['--asset a-1 --language fra --set uses.items=[""] --set auto=false', ['uses.items']],
  ])('is refused: %s', async (argv, fields) => {
    const error = factsIn(await refused([...argv.split(' '), '--json']));
    expect(error.fields.map(({ path: name }: { path: string }) => name)).toEqual(fields);
    expect(error).toMatchObject({ kind: 'usage', outcome: 'not-sent' });
  });

  it.each([
    ['uses', { items: ['dcp'] }],
    ['dng', { graphics: ['localized'] }],
    ['dcp', { items: [1] }],
    ['autosubs', true],
  ])('is not one with %s', async (name, value) => {
    const { bodies, create } = await service();
    const stdin = JSON.stringify({ ...without('uses'), [name]: value });
    const { code, stderr } = await create(['-f', '-'], { stdin });
    expect({ code, sent: bodies.length }, stderr).toEqual({ code: 0, sent: 1 });
  });

  it('is refused with --like', async () => {
    const { bodies, create } = await service({ ...fetched, uses: { items: [] } });
    const copied = await failure(2, create(['--like', 'wr-1', '--territory', 'BEL']));
    expect(copied).toContain(requestWords.missing('uses.items'));
    expect(bodies).toEqual([]);
  });
});

describe('a deadline', () => {
  it.each(impossibleDates)('that nobody can mean is refused: %j', async (dates, problem) => {
    const order = JSON.stringify({ ...whole, ...dates });
    expect(await refused(['-f', '-'], { stdin: order })).toMatch(problem);
  });

  it.each([46_357, 20_261_220, 0, -5])('is refused in --set due.date=%s', async (date) => {
    expect(await refused([...flags, '--set', `due.date=${date}`])).toContain(String(date));
  });

  it('within three years, and a delivery on the due date, is sent', async () => {
    const { create } = await service();
    const date = inDays(3 * 365);
    const stdin = JSON.stringify({ ...whole, due: { date }, deliveryDeadline: { date } });
    expect(await create(['-f', '-'], { stdin })).toMatchObject({ code: 0 });
  });
});

describe('a fetched record', () => {
  it.each([
    ['_id', { _id: 'wr-1' }],
    ['created', { created: 5 }],
    ['status', { status: 'complete' }],
    ['history', { history: [{ status: 'complete' }] }],
    ['from', { from: { _id: 'u-1', name: 'Ines' } }],
    ['translation', { translation: { _id: 't-1' } }],
    ['graphicsTranslation', { graphicsTranslation: 't-2' }],
    ['estimate', { estimate: { base: '1' } }],
    ['$links', { $links: { self: '//media.example/api/workrequests/wr-1' } }],
    ['recipients.Online[0]', { recipients: { Online: ['//media.example/api/users/u-1'] } }],
  ])('is refused as an order because of %s', async (field, more) => {
    const file = temporaryFile(JSON.stringify({ ...whole, ...more }), 'order.json');
    const stderr = await refused(['-f', file]);
    expect(stderr).toContain(requestWords.fetchedRecord);
    expect(stderr).toContain(requestWords.madeByService(field));
    expect(stderr.replace(/\s+/g, ' ')).toContain(`--like ${file} `);
  });

  it('is none because of an embedded asset with its links, which the API documents', async () => {
    const { bodies, create } = await service();
    const file = temporaryFile(JSON.stringify({ ...whole, asset: fetched.asset }), 'order.json');
    const { code, stderr } = await create(['-f', file]);
    expect(code, stderr).toBe(0);
    expect(bodies[0]).toMatchObject({ asset: fetched.asset });
  });

  it('is not an order whose fields of the service are empty, first or set by name', async () => {
    const { bodies, create } = await service();
    const own = { status: 'incomplete', history: [], rejections: [], audioFile: null, from: 'u-1' };
    const stdin = JSON.stringify({ ...whole, ...own, reason: 'Second order' });
    const set = ['-f', '-', '--set-string', 'estimate.base=10'];
    const { code, stderr } = await create(set, { stdin });
    expect({ code, sent: bodies.length }, stderr).toEqual({ code: 0, sent: 1 });
    const instructions = 'https://media.example/api/brief.pdf has the brief';
    const linked = JSON.stringify({ ...whole, instructions });
    expect((await create(['-f', '-'], { stdin: linked })).code).toBe(0);
  });

  const { due, uses, recipients, instructions } = fetched;
  const copy = {
    ...{ asset: { _id: 'a-1' }, language: 'fra', territory: 'FRA' },
    ...{ due, uses, recipients, instructions },
  };
  const texts = {
    'wr.json': JSON.stringify(fetched),
    'wr.yaml': `# fetched\n${JSON.stringify(fetched)}`,
  };

  it.each(Object.entries(texts))('becomes one with --like %s', async (name, text) => {
    const { bodies, create } = await service();
    const file = temporaryFile(text, name);
    const { code, stderr } = await create(['--like', file, '--territory', 'BEL']);
    expect(code, stderr).toBe(0);
    expect(bodies).toEqual([{ ...copy, territory: 'BEL' }]);
    expect(stderr).not.toContain(requestWords.notCopied);
    const piped = await create(['--like', '-', '--territory', 'BEL'], { stdin: text });
    expect(piped.code, piped.stderr).toBe(0);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  it('of another service is copied as it is, with a warning about its ids', async () => {
    const { bodies, create } = await service();
    const like = (record: object) =>
      create(['--like', temporaryFile(JSON.stringify(record), 'x.json')]);
    const { code, stderr } = await like(fetched);
    expect(code, stderr).toBe(0);
    expect(bodies).toEqual([copy]);
    expect(stderr).toMatch(/^warning: .* media\.example; .*: asset, recipients$/m);
    const { $links: _, ...own } = fetched;
    expect(await failure(11, like(own))).toContain('--again');
    const dated = await like({ ...whole, territory: 'BEL', due: { date: '+14d', tz: 'UTC' } });
    expect(dated.code, dated.stderr).toBe(0);
    expect(bodies[1]).toMatchObject({ due: { date: expect.any(Number) } });
  });

  it.each([
    ['--like missing.json', 'cannot read missing.json'],
    ['--like ./missing', 'cannot read ./missing'],
    ['--like - --set instructions=@-', 'standard input'],
  ])('is not taken from %s', async (argv, problem) => {
    const { bodies, create } = await service();
    expect(await failure(2, create(argv.split(' ')))).toContain(problem);
    expect(bodies).toEqual([]);
  });

  it('programs get what --like dropped, and all of the old language', async () => {
    const { create } = await service();
    const copyToGerman = ['--like', 'wr-1', '--language', 'deu', '--dry-run'];
    const { stderr } = await create([...copyToGerman, '--json']);
    expect(jsonLines(stderr).map(({ warning }) => warning)).toMatchObject([
      { code: 'not-copied', message: expect.stringContaining('history') },
      { code: 'other-language', message: expect.stringContaining(fetched.instructions) },
    ]);
    const narrow = await create(copyToGerman, { columns: 40 });
    expect(narrow.stderr.replace(/\s+/g, ' ')).toContain(fetched.instructions);
  });
});
