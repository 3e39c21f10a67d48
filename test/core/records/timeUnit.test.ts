import { describe, expect, it } from 'vitest';
import { mar, marOk } from '../../harness/mar.ts';
import { account } from '../../harness/recordingServer.ts';
import { withService } from '../../harness/storedAccount.ts';
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

  it('is in milliseconds without any, which is named once for each profile', async () => {
    const { dates, env } = await prepare();
    const first = await marOk([...order, ...due, '--set', 'deliveryDeadline.date=2026-12-02'], {
      env,
    });
    expect(first.stderr.split(hint)).toHaveLength(2);
    const again = await marOk([...order, ...due], { env });
    expect(again.stderr).toContain(`${second}000 (milliseconds)`);
    expect(again.stderr).not.toContain(hint);
    expect(dates).toEqual([`${second}000`, `${second}000`]);
  });

  it('is named in each run if nothing is remembered', async () => {
    const { env } = await prepare();
    const fromEnvironment = { ...env, ...account, MAR_LOG: 'off' };
    for (const _run of [1, 2]) {
      const run = await marOk([...order, ...due], { env: fromEnvironment });
      expect(run.stderr.split(hint)).toHaveLength(2);
    }
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
