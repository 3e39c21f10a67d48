import { describe, expect, it } from 'vitest';
import { requestWords } from '../../words/requests.ts';
import { asked, no, order, orderFor, questions, shop, typing, yes } from './shop.ts';

describe('an order on a terminal', () => {
  it('is shown with its asset by name and asked about once, and a no sends nothing', async () => {
    const { run, count, sandbox } = await shop();
    const before = await count();
    const instructions = ['--set', `instructions=Use the new logo\nin ${'x'.repeat(60)}`];
    const refused = await run([...order, ...instructions], typing(no));
    expect(refused.code).toBe(130);
    for (const fact of [
      'instructions: Use the new logo in xxx',
      'The Harbor Light – Trailer A (a-1001)',
      ...['language fin', 'territory FIN', 'dialogue: subtitled', requestWords.final],
      ...[new URL(sandbox.baseUrl).host, 'ines@northlight.example'],
    ]) {
      expect(asked(refused)).toContain(fact);
    }
    expect(asked(refused)).toMatch(/due \d{4}-\d\d-\d\d 23:59 Europe\/Paris/);
    expect(asked(refused)).not.toContain('warning');
    expect(await count()).toBe(before);
    const sent = await run(order, typing(yes));
    expect([sent.code, questions(sent)]).toEqual([0, 1]);
    expect(await count()).toBe(before + 1);
  });

  it.each<[string, string[], string]>([
    [
      'no due date and no territory',
      ['wr', 'create', '--asset', 'a-1012', '--language', 'kor', '--use', 'online'],
      `warning: ${requestWords.noDueDate}, ${requestWords.noTerritory}`,
    ],
    [
      'a date in more than a year',
      orderFor('fin', 'FIN', '+400d'),
      `warning: ${requestWords.dueFar}`,
    ],
    [
      'a language of elsewhere',
      orderFor('fra', 'DEU'),
      `warning: ${requestWords.unusual('French', 'Germany')}`,
    ],
    [
      'the body of mar api',
      ['api', 'POST', '/workrequests', '--set', 'asset._id=a-1001', '--set', 'language=fra'],
      `asset a-1001: language fra warning: ${requestWords.noDueDate}, ${requestWords.noTerritory}`,
    ],
  ])('with %s has a warning before the question', async (_, argv, facts) => {
    const { run } = await shop();
    expect(asked(await run(argv, typing(no)))).toContain(facts);
  });

  it.each([
    ['nob', 'NOR'],
    ['fra', 'BEL'],
    ['spa', 'USA'],
    ['eng', 'JPN'],
    ['fra', 'EU'],
    ['lat', 'VAT'],
  ])('in %s for %s is nothing unusual', async (language, territory) => {
    const { run } = await shop();
    const argv = [...orderFor(language, territory), '--skip-checks=territory'];
    expect(asked(await run(argv, typing(no)))).not.toContain('unusual');
  });

  it('of another service than that of the default profile says so', async () => {
    const { run, sandbox, env, file } = await shop();
    const own = { baseUrl: 'https://media.example/api', email: 'ines@northlight.example' };
    const other = { baseUrl: sandbox.baseUrl, email: own.email };
    const tokenFile = `${env.MAR_CONFIG_DIR}/token`;
    const profiles = { own: { ...own, tokenFile }, other: { ...other, tokenFile } };
    file('config/config.json', JSON.stringify({ defaultProfile: 'own', profiles }));
    const shown = asked(await run([...order, '--profile', 'other'], typing(no)));
    expect(shown).toMatch(/warning: .*media\.example/);
  });

  it('that was placed before is one question too, with the earlier one above it', async () => {
    const { run, count } = await shop();
    const { stdout } = await run([...order, '--json']);
    const before = await count();
    const again = await run(order, typing(yes));
    expect([again.code, questions(again)]).toEqual([0, 1]);
    expect(asked(again)).toContain(requestWords.placedBefore(JSON.parse(stdout)._id));
    expect(await count()).toBe(before + 1);
  });

  it('is sent without a question with --yes, and shown with --dry-run', async () => {
    const { run, count } = await shop();
    const before = await count();
    const shown = await run([...order, '--dry-run'], typing(no));
    expect([shown.code, questions(shown)]).toEqual([0, 0]);
    expect(shown.stderr).toContain('(a-1001)');
    expect(await count()).toBe(before);
    const sent = await run([...order, '--yes'], typing(no));
    expect([sent.code, questions(sent)]).toEqual([0, 0]);
    expect(await count()).toBe(before + 1);
  });

  it('without a terminal is sent without a question', async () => {
    const { run } = await shop();
    const { code, stderr } = await run(order);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining(requestWords.final)]);
  });

  it('copied into another language is one question, after the warning', async () => {
    const { run } = await shop();
    const copy = ['wr', 'create', '--like', 'wr-2001', '--language', 'deu', '--due', '+14d'];
    const refused = await run([...copy, '--unset', 'deliveryDeadline'], typing(no));
    expect([refused.code, questions(refused)]).toEqual([130, 1]);
    expect(asked(refused)).toMatch(/warning: the language changes.*language deu/);
  });
});

it('an event on a terminal is shown with the names of the people, and asked about', async () => {
  const { run } = await shop();
  const event = ['event', 'put', '--work-request', 'wr-2002', '--notify-user', 'u-greta'];
  const refused = await run(event, typing(no));
  expect([refused.code, questions(refused)]).toEqual([130, 1]);
  for (const fact of ['type wam', 'wr-2002', 'Greta Vogel', requestWords.final]) {
    expect(asked(refused)).toContain(fact);
  }
});
