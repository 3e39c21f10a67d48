import { describe, expect, it } from 'vitest';
import {
  fetched,
  impossibleDates,
  service,
  serviceFields,
  whole,
  without,
} from '../../core/commands/orderService.ts';
import { requestWords } from '../../words/requests.ts';
import { batchOf } from './harness.ts';

describe('in the rows of a batch', () => {
  it('an order that is not whole is listed for each row, and --check finds it', async () => {
    const { env, bodies } = await service();
    const rows = ['uses', 'asset', 'none'].map((name) => `${JSON.stringify(without(name))}\n`);
    const batch = batchOf({ env }, rows.join(''));
    const checked = await batch.run(['--check']);
    expect(checked).toMatchObject({ code: 8, stdout: '3 rows: 1 valid, 2 invalid\n' });
    expect(checked.stderr).toContain(`row 1 (line 1): ${requestWords.missing('uses.items')}`);
    expect(checked.stderr).toContain(`row 2 (line 2): ${requestWords.missing('asset')}`);
    expect((await batch.run()).code).toBe(2);
    expect(bodies).toEqual([]);
    expect((await batch.run(['--skip-checks'])).code).toBe(0);
  });

  it.each(impossibleDates)(
    'a deadline that nobody can mean is invalid: %j',
    async (dates, problem) => {
      const order = JSON.stringify({ ...whole, ...dates });
      const checked = await batchOf(await service(), `${order}\n`).run(['--check']);
      expect([checked.code, checked.stderr]).toEqual([8, expect.stringMatching(problem)]);
    },
  );

  it('a fetched record is refused', async () => {
    const { env, bodies } = await service();
    const stderr = await batchOf({ env }, `${JSON.stringify(fetched)}\n`).fails(2);
    expect(bodies).toEqual([]);
    const text = stderr.replace(/\s+/g, ' ');
    for (const part of ['row 1 ', requestWords.madeByService(serviceFields), ' --like ID'])
      expect(text).toContain(part);
  });

  it('--like warns once about the old language, with the values', async () => {
    const { env } = await service();
    const rows = 'language,territory\ndeu,DEU\nita,\nfra,BEL\nspa,ESP\n';
    const { stderr } = await batchOf({ env }, rows, 'rows.csv').run(['--like', 'wr-1', '--check']);
    const [first = '', ...more] = stderr.split('warning: ').slice(1);
    expect(more).toEqual([]);
    expect(first).toMatch(/ 3 rows .* wr-1 \(fra\):/);
    expect(first).toContain('"FRA"');
    expect(first).toContain(fetched.instructions);
  });
});
