import { describe, expect, it } from 'vitest';
import { mar, marOk } from '../../harness/mar.ts';
import { withService } from '../../harness/storedAccount.ts';
import { requestWords } from '../../words/requests.ts';
import { due, hint, order, prepare, second } from './datedService.ts';

describe('a time that is sent', () => {
  it.each([
    [String(second), `${second}`, ['asset', 'get', 'a-1']],
    [`${second}000`, `${second}000`, ['asset', 'get', 'a-1', 'a-2']],
    [`${second}000000`, `${second}000000`, ['downloads', 'list']],
    [`${second}000000000`, `${second}000000000`, ['downloads', 'list', '--all']],
  ])('has the unit of records such as %s', async (created, date, read) => {
    const { dates, env } = await prepare(created);
    await mar([...read, '--json'], { env });
    const run = await marOk([...order, ...due], { env });
    expect(dates).toEqual([date]);
    expect(run.stderr).not.toContain(hint);
  });

  it('is in milliseconds without any, which is called an assumption until it is set', async () => {
    const { dates, env } = await prepare();
    const run = await marOk([...order, ...due], { env });
    expect(run.stderr).toContain(requestWords.sentIn('milliseconds'));
    expect(run.stderr).toContain(hint);
    const set = await marOk([...order, ...due], { env: withService(env, { 'time.sent': 'us' }) });
    expect(set.stderr).not.toContain('assumed');
    expect(dates).toEqual([`${second}000`, `${second}000000`]);
  });

  it('has the unit that is set for the service, over that of its records', async () => {
    const { dates, env } = await prepare(`${second}000`);
    await marOk(['asset', 'get', 'a-1'], { env });
    const run = await marOk([...order, ...due], { env: withService(env, { 'time.unit': 's' }) });
    expect(dates).toEqual([String(second)]);
    expect(run.stderr).not.toContain(hint);
    // A time in another unit is no time then.
    const rows = await marOk(['downloads', 'list', '-o', 'tsv'], { env });
    expect(rows.stdout).toContain(`${second}000\t`);
  });
});
