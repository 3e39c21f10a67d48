import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { assetService } from '../../harness/assetService.ts';
import { jsonLines } from '../../harness/jsonLines.ts';
import { mar, marOk, temporaryFile } from '../../harness/mar.ts';
import { failure, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';
import { offered } from '../completion/harness.ts';
import { create, prepare } from './checkedOrder.ts';

describe('--skip-checks', () => {
  it.each([
    ['--skip-checks', ''],
    ['--skip-checks=territory,language', ''],
    ['--skip-checks= language , territory', ''],
    ['--skip-checks=territory', 'language fri'],
    ['--skip-checks=language', 'territory FRNACE'],
    ['--skip-checks=due,value', 'language fri'],
  ])('%s', async (flag, problem) => {
    const { send } = await prepare();
    const { code, stderr } = await send(['--language', 'fri', '--territory', 'FRNACE', flag]);
    expect(stderr).toContain(problem);
    expect(code, stderr).toBe(problem === '' ? 0 : 2);
  });

  it('is taken as the error prints it', async () => {
    const { send } = await prepare();
    const order = ['--language', 'fri', '--territory', 'FRNACE'];
    const { stderr } = await send(order);
    const [flag = ''] = /--skip-checks=\S+/.exec(stderr) ?? [];
    expect(await send([...order, flag])).toMatchObject({ code: 0 });
  });

  it('takes no word behind it', async () => {
    const service = await assetService('{"_id":"a-1","name":"One"}');
    const argv = ['asset', 'put', '--skip-checks', 'a-1', '--set', 'nmae=x'];
    expect((await mar(argv, service)).code).toBe(0);
    expect(service.text).toContain('nmae');
  });

  it.each(['teritory', 'language,,', ''])('refuses the name "%s", and lists all', async (name) => {
    const all = /: field, language, .*territory, .*due, .*order, record/;
    expect(await refused(create(`--skip-checks=${name}`))).toMatch(all);
  });

  it.each([
    [['--set', 'langauge=fra'], 'field'],
    [['--language', 'fri'], 'language'],
    [['--language', 'fri', '--set', 'status=incomplet'], 'language,value'],
    [['--set', 'due.date=1577898000000'], 'due'],
    [['--set', 'due.tz=Nowhere/Else'], 'due'],
  ])('is suggested with the name of the check: %j %s', async (argv, names) => {
    expect(await refused(create(...argv))).toContain(` --skip-checks=${names}\n`);
    const [{ error }] = jsonLines(await refused(create(...argv, '--json')));
    const checks = error.fields.map(({ check }: { check: string }) => check);
    expect(checks).toEqual(names.split(','));
  });

  it('skips the checks of people by their name', async () => {
    const { env, requests } = await recordingServer('{}');
    const put = ['event', 'put', '--type', 'x', '--notify-user', 'u-1', '--skip-checks=user'];
    expect((await mar(put, { env })).code).toBe(0);
    expect(requests).toHaveLength(1);
  });

  it('skips the check of the asset by its name, but not that of an equal copy', async () => {
    const { send, env } = await prepare();
    const absent = ['--set', 'asset._id=a-2'];
    expect((await send([...absent, '--skip-checks=language'])).code).toBe(5);
    expect((await send([...absent, '--skip-checks=asset'])).code).toBe(0);
    const copy = (flag: string) =>
      mar(['wr', 'create', '--like', 'wr-1', '--dry-run', flag], { env });
    expect(await copy('--skip-checks')).toMatchObject({ code: 11 });
    expect((await copy('--again')).code).toBe(0);
  });

  it('is completed with its names, but does not take the next word', async () => {
    const { env } = await prepare();
    const offer = (line: string) => offered(line.split(' '), env);
    expect(await offer('wr create --skip-checks=')).toContain('--skip-checks=territory');
    const next = await offer('wr create --skip-checks=territory,');
    expect(next).toContain('--skip-checks=territory,language');
    expect(next).not.toContain('--skip-checks=territory,territory');
    expect(await offer('asset put --skip-checks --set na')).toContain('name=');
  });
});

describe('a territory', () => {
  const usual = 'LAS INT ROW EMEA APAC MENA DACH CIS GCC ANZ UAE KSA CEE LATAM WW SEA';

  it.each([...usual.split(' '), 'XKX', 'FAR'])('%s is sent with a warning', async (territory) => {
    const { send } = await prepare();
    const { code, stderr } = await send(['--territory', territory]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`warning: territory ${territory} `);
  });

  it.each(['DEU', 'DE', 'FR', 'EU', 'UK'])('%s is known, and sent', async (territory) => {
    const { send } = await prepare();
    const { code, stderr } = await send(['--territory', territory]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('territory')]);
  });

  it.each(['fra', 'deu', 'ＦＲＡ', 'FRА', 'FRNACE', 'FRA,DEU', 'FRA / DEU'])(
    '%s is refused, because it is no code',
    async (territory) => {
      const { send } = await prepare();
      await failure(2, send(['--territory', territory]));
    },
  );

  it.each(['FAR', 'FR', 'FRAA'])('%s is refused if the studio named FRA', async (territory) => {
    const { send } = await prepare();
    const description = temporaryFile('{"territory":{"FRA":"ok"}}', 'service.json');
    const stderr = await failure(2, send(['--territory', territory], { MAR_SERVICE: description }));
    expect(stderr).toContain(`mar config set territory.${territory}=ok`);
  });

  it('of no country does not say which form the codes of countries have', async () => {
    const { env, send } = await prepare();
    expect((await mar(['config', 'set', 'territory.LATAM=ok'], { env })).code).toBe(0);
    expect((await send(['--territory', 'FRA'])).stderr).not.toContain('territory');
  });

  it('of a setting or a file is known, and its typos are refused', async () => {
    const { env, send } = await prepare();
    for (const code of ['LAS', 'ROW']) {
      expect((await mar(['config', 'set', `territory.${code}=ok`], { env })).code).toBe(0);
    }
    const said = async (territory: string, more = {}) =>
      (await send(['--territory', territory], more)).stderr;
    expect(await said('ROW')).not.toContain('territory');
    expect(await said('RWO')).toContain(' ROW?');
    expect(await offered(['wr', 'create', '--territory', ''], env)).toContain('LAS');
    const description = temporaryFile('{"territory":{"BENELUX":"ok"}}', 'service.json');
    const other = { MAR_SERVICE: description };
    expect(await said('BENELUX', other)).not.toContain('territory');
    expect(await said('BENLUX', other)).toContain(' BENELUX?');
  });
});

it('a language that only ISO 639-3 has is sent with a warning, unless it is probably a slip', async () => {
  const { send } = await prepare();
  const rare = await failure(2, send(['--language', 'spn']));
  expect(rare).toMatch(/language spn .*Sanapaná/);
  const { code, stderr } = await send(['--language', 'yue']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('warning: language yue ')]);
});

it.each<[string, string | RegExp]>([
  ['--territory ROW', 'territory ROW '],
  ['--language fre', /language fre.* fra$/m],
  ['--dialogue dubbed', 'dialogue treatment "dubbed"'],
  ['--due tomorrow --tz Berlin', '23:59'],
  ['--set project=p-1', 'field project '],
])('what could be a mistake is a warning for programs: %s', async (flags, message) => {
  const { send } = await prepare();
  for (const format of [['--json'], ['--jq', '.request']]) {
    const { code, stderr } = await send([...flags.split(' '), ...format]);
    expect(code).toBe(0);
    const messages = jsonLines(stderr).map(({ warning }) => warning?.message);
    expect(messages.join('\n')).toMatch(message);
  }
});

describe('a slip that used to become a record is refused', () => {
  const whole = { asset: { _id: 'a-1' }, language: 'fra', dng: { graphics: ['new'] } };
  const file = (fields: object) => {
    const record = JSON.stringify({ ...whole, ...fields });
    return ['wr', 'create', '-f', temporaryFile(record, 'order.json')];
  };

  const dueDate = requestWords.didYouMean('due.date');
  const language = requestWords.didYouMean('language');
  const online = requestWords.didYouMean('online');
  const paris = { date: 1896144400000, tz: 'europe/paris' };
  it.each<[string, () => string[], string | RegExp]>([
    ['due_date', () => create('--set', 'due_date=1'), dueDate],
    ['dueDate', () => file({ dueDate: 1 }), dueDate],
    ['a key due.date', () => file({ 'due.date': 1 }), dueDate],
    ['duedat', () => file({ duedat: 1 }), dueDate],
    ['LANGUAAGE', () => file({ LANGUAAGE: 'fra' }), language],
    ['full-width', () => file({ ｌａｎｇｕａｇｅ: 'fra' }), language],
    ['Cyrillic', () => file({ lаnguаgе: 'fra' }), language],
    ['a full-width use', () => create('--use', 'ｏｎｌｉｎｅ'), online],
    ['a Cyrillic use', () => create('--use', 'оnlinе'), online],
    ['BROADCATS', () => create('--use', 'BROADCATS'), requestWords.didYouMean('broadcast')],
    ['a list of a flag', () => create('--use', 'online/dcp'), 'each one on its own'],
    ['a joined list', () => create('--use', 'onlinedcp'), 'use "onlinedcp"'],
    ['#¿NOMBRE?', () => file({ tags: ['#¿NOMBRE?'] }), 'tags[0]: "#¿NOMBRE?" '],
    ['--unset', () => [...file({ slug: 1 }), '--unset', 'instuctions'], '"instructions"?'],
    [
      'two values',
      () => create('--set', 'language=fra', '--set-string', 'language=deu'),
      /--set-string language=deu: .* --set language=fra/,
    ],
    ['a removed tag', () => create('--unset', 'tags', '--tag', 'deu'), `--set 'tags=["deu"]'`],
    ['BST', () => create('--due', '+14d', '--tz', 'BST'), 'time zone "BST"'],
    ['europe/paris', () => file({ due: paris }), requestWords.didYouMean('Europe/Paris')],
    ['0226', () => create('--due', '0226-12-20', '--tz', 'UTC'), 'due.date: 0226-12-20'],
  ])('%s', async (_, argv, problem) => {
    expect(await refused(argv())).toMatch(problem);
  });

  it('in a field of an asset, also one that only the record has', async () => {
    const before = '{"_id":"a-1","aspectRatio":"16:9","runtime":90,"slug":"x"}';
    const service = await assetService(before);
    const put = (stdin: string, ...argv: string[]) =>
      mar(['asset', 'put', ...argv], { ...service, stdin });
    for (const [wrong, right] of [
      ['aspectRation', 'aspectRatio'],
      ['runtme', 'runtime'],
    ] as const) {
      const piped = await put(before.replace(right, wrong), '-f', '-');
      expect(piped.stderr).toContain(requestWords.didYouMean(right));
    }
    const unset = await put('', 'a-1', '--unset', 'slgu');
    expect(unset.stderr).toContain(requestWords.didYouMean('slug'));
    expect(service.text).toBe(before);
  });

  it('while the order of --set and --unset is kept', async () => {
    const { env, requests } = await recordingServer('{"_id":"wr-1"}');
    const sets = '--unset tags --set tags[+]=deu --set tags[+]=fra';
    const same = '--set language=fra --set language=fra --skip-checks';
    await marOk(`wr create ${sets} ${same}`.split(' '), { env });
    expect(requests[0]).toMatch(/{"tags":\["deu","fra"\],"language":"fra"}$/);
  });
});

it.each([
  ['Ann', true, 2, requestWords.unknownUser('Ann')],
  ['Anna', true, 2, requestWords.unknownUser('Anna')],
  ['vogel', true, 0, 'Greta Vogel, u-2'],
  ['vogel', false, 2, 'u-2'],
  ['greta vogel', false, 0, ''],
])('--notify-user %s, on a terminal: %s', async (name, isTerminal, code, text) => {
  const users = '[{"_id":"u-1","name":"Johanna Berg"},{"_id":"u-2","name":"Greta Vogel"}]';
  const { env } = await recordingServer(users, '[]');
  const stdin = Object.assign(Readable.from([]), { isTTY: true });
  const terminal = isTerminal ? { columns: 80, stdin } : {};
  const argv = ['event', 'put', '--type', 'x', '--notify-user', name, '--dry-run'];
  const run = await mar(argv, { env, ...terminal });
  expect(run.code, run.stderr).toBe(code);
  expect(run.stderr).toContain(text);
});
