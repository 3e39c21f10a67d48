import { describe, expect, it } from 'vitest';
import { shop } from '../orders/shop.ts';

const harbor = 'The Harbor Light – Trailer A';

/** The records that a table with these headings and this row would send, in the sandbox. */
async function sent(heads: string, ...rows: string[]) {
  const { run, file } = await shop();
  const content = `${[heads, ...rows].join('\n')}\n`;
  const argv = ['wr', 'create', '--batch', file('rows.csv', content), '--dry-run', '--jsonl'];
  argv.push('--skip-checks=due');
  const { code, stdout, stderr } = await run(argv);
  const bodies = stdout.split('\n').filter(Boolean);
  return { code, stderr, bodies: bodies.map((line) => JSON.parse(line).request.body) };
}

describe('values as people write them', () => {
  it('are codes, ids and lists in the record', async () => {
    const { bodies, stderr } = await sent(
      'Asset|Language|Territory|Uses|Dialogue|Dual languages|From|Due'.replaceAll('|', '\t'),
      `${harbor}|français|Deutschland|Online, broadcast|Subtitled|ja|Tom Okafor|12.12.2031`.replaceAll(
        '|',
        '\t',
      ),
      'a-1002|fra|FRA|online;dcp||no|u-tom|12 Dec 2031'.replaceAll('|', '\t'),
    );
    expect(bodies, stderr).toMatchObject([
      {
        ...{ asset: { _id: 'a-1001' }, language: 'fra', territory: 'DEU', dualLanguages: true },
        ...{ uses: { items: ['online', 'broadcast'] }, dng: { dialogue: ['subtitled'] } },
      },
      {
        ...{ asset: { _id: 'a-1002' }, language: 'fra', territory: 'FRA', dualLanguages: false },
        uses: { items: ['online', 'dcp'] },
      },
    ]);
    expect(bodies[0].from).toEqual(bodies[1].from);
  });

  it.each([
    ['asset', 'The Harbor', /no asset that mar can find is named "The Harbor"/],
    ['asset', 'Nothing', /no asset that mar can find is named "Nothing"/],
    ['from', 'Somebody Else', /no user that mar can find is named "Somebody Else"/],
    ['language', 'Frnch', /language Frnch.*did you mean fra \(French\)/],
    ['territory', 'Frnce', /territory Frnce.*did you mean FRA/],
    [
      'due.date',
      '1.12.2031',
      /two readings: 1 Dec 2031 with --dates dmy, 12 Jan 2031 with --dates mdy/,
    ],
    ['auto', 'perhaps', /expected true or false/],
    ['dng.dialogue', 'subtitlde', /did you mean "subtitled"/],
  ])('are refused in %s if they are not exact: %s', async (field, value, facts) => {
    const { code, stderr, bodies } = await sent(field, value);
    expect([code, bodies]).toEqual([2, []]);
    expect(stderr.replaceAll('\\', '')).toMatch(facts);
  });
});
