import { describe, expect, it } from 'vitest';
import { shop } from '../../core/orders/shop.ts';

const harbor = 'The Harbor Light – Trailer A';

/** The records that a table with these headings and this row would send, in the sandbox. */
async function sent(...rows: string[]) {
  const { run, file } = await shop();
  await run(['asset', 'put', 'a-1002', '--set', 'name=Total Recall', '--yes']);
  await run(['asset', 'put', 'a-1005', '--set-string', 'name=4711', '--yes']);
  const content = `${rows.join('\n')}\n`;
  const argv = ['wr', 'create', '--batch', file('rows.csv', content), '--dry-run', '--jsonl'];
  argv.push('--skip-checks=due,order');
  const { code, stdout, stderr } = await run(argv);
  const bodies = stdout.split('\n').filter(Boolean);
  return { code, stderr, bodies: bodies.map((line) => JSON.parse(line).request.body) };
}

describe('values as people write them', () => {
  it('are codes, ids and lists in the record', async () => {
    const rows = [
      'Asset|Language|Territory|Uses|Dialogue|Dual languages|From|Due',
      `${harbor}|français|Deutschland|Online, broadcast|Subtitled|ja|Tom Okafor|12.12.2031`,
      'a-1002|fra|FRA|online;dcp||FALSCH|u-tom|12 Dec 2031',
      'a-1002|ger|Korea (the Republic of)|online||VRAI|u-tom|24. Dezember 2031',
    ].map((row) => row.replaceAll('|', '\t'));
    const { bodies, stderr } = await sent(...rows);
    expect(bodies, stderr).toMatchObject([
      {
        ...{ asset: { _id: 'a-1001' }, language: 'fra', territory: 'DEU', dualLanguages: true },
        ...{ uses: { items: ['online', 'broadcast'] }, dng: { dialogue: ['subtitled'] } },
      },
      {
        ...{ asset: { _id: 'a-1002' }, language: 'fra', territory: 'FRA', dualLanguages: false },
        uses: { items: ['online', 'dcp'] },
      },
      { language: 'deu', territory: 'KOR', dualLanguages: true },
    ]);
    expect(bodies[0].from).toEqual(bodies[1].from);
  });

  it('may be a title of one word with a digit, which no asset has as its id', async () => {
    const rows = ['Asset,Language,Project', '4711,fra,p-harbor', 'A-1001,fra,p-harbor'];
    const { bodies, stderr } = await sent(...rows);
    expect(bodies, stderr).toMatchObject([
      { asset: { _id: 'a-1005' }, project: { _id: 'p-harbor' } },
      { asset: { _id: 'a-1001' } },
    ]);
    const unknown = await sent('Asset,Language', 'a-1001,fra', 'M3GAN,fra');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('M3GAN');
  });

  it.each([
    ['Tom', 2],
    ['Tom Okafor', 0],
    ['u-tom', 0],
  ])('are no part of the name of a user: %s', async (from, code) => {
    const run = await sent('Asset,Language,From', `a-1001,fra,${from}`);
    expect(run.code, run.stderr).toBe(code);
    if (code !== 0) expect(run.stderr).toContain('"field":"from","value":"Tom"');
  });

  it('have the dash of a keyboard in the title of an asset', async () => {
    const { bodies, stderr } = await sent('Asset,Language', 'the harbor light - trailer a,fra');
    expect(bodies, stderr).toMatchObject([{ asset: { _id: 'a-1001' } }]);
  });

  it('may come from flags, for all rows, over the columns and what is copied', async () => {
    const { run, file } = await shop();
    const rows = file('rows.csv', 'asset,territory,tz\na-1001,FRA,Paris\na-1002,,\n');
    const flags = ['--language', 'German', '--use', 'online', '--territory', 'Germany'];
    const due = ['--due', '2031-12-12T18:00', '--tz', 'Berlin'];
    const others = ['--like', 'wr-2001', '--skip-checks=due', '--dry-run', '--jsonl'];
    const argv = ['wr', 'create', '--batch', rows, ...flags, ...due, ...others];
    const { stdout, stderr } = await run(argv);
    const bodies = stdout.split('\n').filter(Boolean);
    expect(bodies, stderr).toHaveLength(2);
    for (const body of bodies.map((line) => JSON.parse(line).request.body)) {
      expect(body).toMatchObject({
        language: 'deu',
        territory: 'DEU',
        uses: { items: ['online'] },
      });
      expect(Object.keys(body.uses.details)).toEqual(['online']);
      expect(body.due).toEqual({ date: Date.parse('2031-12-12T17:00Z'), tz: 'Europe/Berlin' });
    }
  });

  it('have the time zone of what is copied, as a single copy has', async () => {
    const { run, file } = await shop();
    const rows = file('rows.csv', 'language\nita\n');
    const flags = ['--like', 'wr-2001', '--due', '2031-12-12T18:00', '--unset', 'deliveryDeadline'];
    const others = ['--skip-checks=due', '--dry-run', '--jsonl'];
    const dueOf = async (...one: string[]) => {
      const { stdout, stderr } = await run(['wr', 'create', ...one, ...flags, ...others]);
      expect(stderr).not.toContain('local time');
      return JSON.parse(stdout).request.body.due;
    };
    const due = { date: Date.parse('2031-12-12T17:00Z'), tz: 'Europe/Paris' };
    expect(await dueOf('--batch', rows)).toEqual(due);
    expect(await dueOf('--language', 'ita')).toEqual(due);
  });

  it('of a row of totals are no order, and no asset', async () => {
    const { code, stderr } = await sent('Asset,Tags', 'a-1001,x', 'Total,2');
    expect(code).toBe(2);
    expect(stderr).toMatch(/"row":2.*\bTotal\b/);
  });
});
