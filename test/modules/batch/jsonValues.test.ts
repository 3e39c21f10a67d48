import { describe, expect, it } from 'vitest';
import { shop } from '../../core/orders/shop.ts';

const order = { asset: 'a-1001', language: 'fra', uses: { items: ['online'] } };
const due = { due: { date: '12.12.2031', tz: 'Europe/Paris' } };

/** What each way to give a JSON record would send, in the sandbox. */
const ways = {
  'a row': (file: string) => ['--batch', file, '--dry-run', '--jsonl'],
  'a file': (file: string) => ['-f', file, '--dry-run', '--json'],
};

describe.each(Object.entries(ways))('values of JSON in %s', (_, flags) => {
  const sent = async (record: object, ...more: string[]) => {
    const { run, file } = await shop();
    const argv = ['wr', 'create', ...flags(file('orders.json', JSON.stringify(record)))];
    const { code, stdout, stderr } = await run([...argv, '--skip-checks=due', ...more]);
    return { code, stderr, body: stdout && JSON.parse(stdout).request.body };
  };

  it('may be names with exactly one meaning', async () => {
    const names = { asset: 'The Harbor Light – Trailer A', language: 'français' };
    const { body, stderr } = await sent({ ...order, ...names, ...due, territory: 'Deutschland' });
    const expected = {
      language: 'fra',
      territory: 'DEU',
      due: { date: Date.UTC(2031, 11, 12, 22, 59) },
    };
    expect(body, stderr).toMatchObject(expected);
    expect(body.asset).toEqual({ _id: 'a-1001' });
  });

  it.each([
    [{ language: 'fr' }, /\bfra\b/],
    [{ language: 'Frnch' }, /\bfra\b/],
    [{ territory: 'Frnce' }, /\bFRA\b/],
    [{ asset: 'The Harbor' }, /asset .*"The Harbor"/],
    [{ due: { date: '1.12.2031' } }, /1 Dec 2031 .*12 Jan 2031/],
  ])('are refused if they are not exact: %j', async (wrong, facts) => {
    const { code, stderr, body } = await sent({ ...order, ...wrong });
    expect([code, body]).toEqual([2, '']);
    expect(stderr.replaceAll('\\', '')).toMatch(facts);
  });

  it('are sent as they are with --skip-checks', async () => {
    expect((await sent({ ...order, language: 'French' }, '--skip-checks')).body.language).toBe(
      'French',
    );
  });
});

it('reads dates of JSON rows in the order of --dates', async () => {
  const { run, file } = await shop();
  const rows = file(
    'orders.jsonl',
    JSON.stringify({ ...order, due: { date: '1.12.2031', tz: 'UTC' } }),
  );
  const argv = ['wr', 'create', '--batch', rows, '--dry-run', '--jsonl', '--skip-checks=due'];
  const { stdout, stderr } = await run([...argv, '--dates', 'mdy']);
  expect(JSON.parse(stdout).request.body.due.date, stderr).toBe(Date.UTC(2031, 0, 12, 23, 59));
});
