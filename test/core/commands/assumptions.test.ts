import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../../harness/fakeService.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { storedAccount } from '../../harness/storedAccount.ts';

/* What rests on an assumption about the service says so, and the line that it prints ends it for good. */

const users = '[{"_id":"u-1","name":"Ines"}]';

async function prepare() {
  const sent: unknown[] = [];
  const { env } = await fakeService(({ method, path, body, headers }) => {
    if (method === 'GET') {
      if (path.startsWith('/session')) return /=0-/.test(`${headers['x-range']}`) ? users : '[]';
      if (path.startsWith('/workrequests')) return '{"_id":"wr-1"}';
      return '{"_id":"a-1","usage":{"online":true},"workflow":{"phase":"WIP"}}';
    }
    sent.push(JSON.parse(body));
    return JSON.stringify({ _id: 'new-1', ...JSON.parse(body) });
  });
  const account = storedAccount(temporaryFolder(), env.MAR_BASE_URL ?? '');
  const run = (argv: readonly string[], more = {}) => mar(argv, { env: { ...account, ...more } });
  return { env: account, sent, run };
}

/** The words of the line that ends an assumption, without `mar`. */
function endingLine(stderr: string): string[] {
  const text = stderr.replace(/\s+/g, ' ');
  expect(text).toContain('assumes this; the API does not document it');
  // Warnings stand before the error.
  const [, line = ''] = [...text.matchAll(/accepts it, run: mar (config set \S+)/g)].at(-1) ?? [];
  expect(line, stderr).not.toBe('');
  return line.replaceAll("'", '').split(' ');
}

const whole = '--asset a-1 --language fra --use online';

describe('a refusal that rests on an assumption', () => {
  it.each([
    ['a language', 'wr create --asset a-1 --use online --language ptb', 'language.ptb=ok'],
    ['a rare language', 'wr create --asset a-1 --use online --language spn', 'language.spn=ok'],
    ['a country', 'file upload-meta --set name=a.mov --country UX', 'country.UX=ok'],
    ['a territory', `wr create ${whole} --territory FRNACE`, 'territory.FRNACE=ok'],
    ['a use of no asset', 'wr create --asset a-1 --language fra --use dcp', 'order.uses=any'],
    ['a use like another', 'wr create --asset a-1 --language fra --use onlne', 'use.onlne=ok'],
    [
      'a time zone',
      `wr create ${whole} --set due={"date":1797800000000,"tz":"EST"}`,
      'zone.EST=ok',
    ],
    [
      'a time zone beside an offset',
      `wr create ${whole} --due 2026-12-01T18:00Z --tz EST --skip-checks=asset`,
      'zone.EST=ok',
    ],
    ['the name of two countries', `wr create ${whole} --territory Congo`, 'territory.Congo=ok'],
    ['a field', `wr create ${whole} --set langauge=fra`, 'field.langauge=ok'],
    ['a due date in the past', `wr create ${whole} --due 2020-01-01`, 'order.due-past=ok'],
    ['a due date far away', `wr create ${whole} --due 2090-01-01`, 'order.due-far=ok'],
    [
      'no language',
      'wr create --asset a-1 --use online',
      'order.needs=asset,uses/dng/dcp/auto/autosubs',
    ],
    ['a field of the service', `wr create ${whole} -f ORDER`, undefined],
    ['a person', 'event put --work-request wr-1 --notify-user u-9', 'people.listed=some'],
  ])('%s names it, and is not refused again after the line', async (_, line, key) => {
    const order = temporaryFile('{"files":[{"name":"Script","files":["f-1"]}]}', 'order.json');
    const argv = line.split(' ').map((word) => (word === 'ORDER' ? order : word));
    const { run, sent } = await prepare();
    const refused = await run(argv);
    expect({ code: refused.code, sent }, refused.stderr).toEqual({ code: 2, sent: [] });
    const ending = endingLine(refused.stderr);
    if (key) expect(ending.at(-1)).toBe(key);
    expect((await run(ending)).code).toBe(0);
    let again = await run(argv);
    // What rests on two assumptions names the second one then.
    if (again.code === 2) {
      expect((await run(endingLine(again.stderr))).code).toBe(0);
      again = await run(argv);
    }
    expect({ code: again.code, sent: sent.length }, again.stderr).toEqual({ code: 0, sent: 1 });
  });

  it('has no line for a field that no setting can name', async () => {
    const { run } = await prepare();
    const notes = temporaryFile('{"Due date":"x"}', 'notes.json');
    const refused = await failure(2, run([...`wr create ${whole} -f`.split(' '), notes]));
    expect(refused).toContain('unknown field "["Due date"]"');
    expect(refused).not.toContain('config set');
  });

  it('can be set to the values that a refused one names', async () => {
    const { run } = await prepare();
    const refused = await failure(2, run(['config', 'set', 'order.uses=some']));
    expect(refused).toContain('of-asset, any');
  });

  it('is for people: a program is not told to change the description', async () => {
    const { run } = await prepare();
    const { stderr } = await run(`wr create ${whole} --set langauge=fra --json`.split(' '));
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    expect(error.kind).toBe('usage');
    expect(JSON.stringify(error.next ?? [])).not.toContain('config');
  });

  it('ends for its profile alone', async () => {
    const { run, env } = await prepare();
    expect((await run(['config', 'set', 'language.ptb=ok'])).code).toBe(0);
    const argv = 'wr create --asset a-1 --use online --language ptb --dry-run'.split(' ');
    expect((await run(argv)).code).toBe(0);
    const other = await mar([...argv], {
      env: {
        ...env,
        MAR_BASE_URL: 'http://127.0.0.1:9/api',
        MAR_EMAIL: 'a@b.example',
        MAR_TOKEN: 't',
      },
    });
    expect(other.code).toBe(2);
  });
});

it.each([
  ['an event type of two letters', 'event put --type fu --file-id f-1 --set _id=e-1'],
  ['a field with other digits', `wr create ${whole} --set language2=x`],
  ['a use with other digits', `wr create ${whole} --use imax2d --skip-checks=asset`],
])('%s is near nothing, and sent', async (_, line) => {
  const { run, sent } = await prepare();
  const { code, stderr } = await run(line.split(' '));
  expect({ code, sent: sent.length }, stderr).toEqual({ code: 0, sent: 1 });
});

describe('the description of a service', () => {
  it('is a file that a studio hands out, for a profile or by MAR_SERVICE', async () => {
    const { run } = await prepare();
    const file = temporaryFile(
      '{"language":{"ptb":"ok"},"order":{"needs":["asset"]},"status.shipped":"done"}',
      'studio.json',
    );
    const argv = 'wr create --asset a-1 --language ptb --dry-run'.split(' ');
    expect((await run(argv)).code).toBe(2);
    expect((await run(argv, { MAR_SERVICE: file })).code).toBe(0);
    expect((await run(['config', 'set', 'service', file])).code).toBe(0);
    expect((await run(argv)).code).toBe(0);
  });

  it('can be removed when its file is gone', async () => {
    const { run } = await prepare();
    const file = temporaryFile('{}', 'studio.json');
    await run(['config', 'set', 'service', file]);
    rmSync(file);
    expect((await run(['config', 'get', 'service'])).code).toBe(2);
    expect((await run(['config', 'unset', 'service'])).code).toBe(0);
    expect((await run(['config', 'get', 'service'])).code).toBe(0);
  });

  it.each([
    ['{"langauge":{"ptb":"ok"}}', 'langauge.ptb'],
    ['{"put":{"missing":"perhaps"}}', 'put.missing'],
    ['{"status":{"shipped":"gone"}}', 'status.shipped'],
    ['not json', 'is not JSON'],
  ])('%s is refused where it is read', async (text, problem) => {
    const { run } = await prepare();
    const file = temporaryFile(text, 'studio.json');
    const set = await run(['config', 'set', 'service', file]);
    const used = await run(`wr create ${whole} --dry-run`.split(' '), { MAR_SERVICE: file });
    for (const { code, stderr } of [set, used]) {
      expect(code).toBe(2);
      expect(stderr).toContain(problem);
      expect(stderr.replace(/\s+/g, ' ')).toContain(file);
    }
  });

  it('is listed with the basis of each fact', async () => {
    const { run, env } = await prepare();
    await run(['config', 'set', 'status.shipped=done']);
    const { stdout } = await marOk(['config', 'list', '--json'], { env });
    const rows: { key: string; basis: string; value: string }[] = JSON.parse(stdout);
    const basisOf = (key: string) => rows.find((row) => row.key === key);
    expect(basisOf('status.shipped')).toMatchObject({ basis: 'set', value: 'done' });
    // The document shows the word, but neither what it means nor whom it waits for.
    expect(basisOf('status.awaiting-materials')).toMatchObject({ basis: 'assumed' });
    expect(basisOf('phase.WIP')).toMatchObject({ basis: 'shown' });
    expect(basisOf('order.needs')).toMatchObject({ basis: 'assumed' });
    expect(basisOf('secret.fields')).toMatchObject({ basis: 'documented' });
    const get = async (key: string) => (await run(['config', 'get', key])).stdout.trim();
    expect(await get('status.shipped')).toBe('done');
    expect(await get('order.needs')).toBe(basisOf('order.needs')?.value);
    // Case makes no other status.
    await run(['config', 'set', 'status.Incomplete=done']);
    const listed = (await marOk(['config', 'list', '--json'], { env })).stdout;
    expect(listed).toContain('"status.Incomplete"');
    expect(listed).not.toContain('"status.incomplete"');
    await run(['config', 'unset', 'status.shipped']);
    const after = await marOk(['config', 'list', '--json'], { env });
    expect(after.stdout).not.toContain('status.shipped');
  });
});
