import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const create = ['wr', 'create', '--skip-checks'];

/** A Wednesday. In Berlin it is 13:30. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-18T12:30:45Z') });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a date in a row', () => {
  it('is read as people write it', async () => {
    stopClock();
    const { env } = await recordingServer('{}');
    const table = temporaryFile('due.date,due.tz\n1 Dec 18:00,Berlin\n', 'rows.csv');
    const { stdout } = await marOk([...create, '--dry-run', '--batch', table, '--json'], { env });
    // A batch prints a list of requests.
    const [{ request }] = JSON.parse(stdout);
    const due = { date: Date.parse('2026-12-01T17:00:00.000Z'), tz: 'Europe/Berlin' };
    expect(request.body.due).toEqual(due);
  });

  it('with two readings is refused with both', async () => {
    stopClock();
    const table = temporaryFile('due.date\n01/12/2026\n', 'rows.csv');
    const inTable = await refused(['wr', 'create', '--batch', table]);
    expect(inTable).toContain('1 Dec 2026 (dmy) and 12 Jan 2026 (mdy)');
    expect(inTable).toContain('--dates dmy');
  });

  it.each(['{"due":{"date":"1796144400000"}}', 'language,due.date\nfra,1796144400000\n'])(
    'may be a number in the unit of the service: %j',
    async (stdin) => {
      const server = await recordingServer('{"_id":"wr-1"}');
      const journal = path.join(temporaryFolder(), 'journal');
      await marOk([...create, '--batch', '-', '--journal', journal], { ...server, stdin });
      expect(server.requests[0]).toMatch(/"date":1796144400000[,}]/);
    },
  );
});
