import { describe, expect, it } from 'vitest';
import { greta, prepare, skip } from '../../core/commands/eventUsers.ts';
import { temporaryFile } from '../../harness/mar.ts';
import { requestWords } from '../../words/requests.ts';

const table = `_id,notify.users\ne-1,u-greta\ne-2,u-gerta\ne-3,u-ines\ne-4,u-ann;u-x\n`;

describe('notify.users of the rows of a batch', () => {
  it.each([403, 404])('is refused if the list of users responds with %d', async (status) => {
    const { put, written } = await prepare({ listing: { status } });
    const file = temporaryFile(table, 'events.csv');
    const { code, stderr } = await put('--batch', file, '--skip-invalid');
    expect({ code, written: written() }).toEqual({ code: 2, written: [] });
    expect(stderr).toMatch(/^error: .* users: .* \(/);
    expect(stderr).toContain(skip);
  });

  it('is checked with one list, and rows with an unknown user are invalid', async () => {
    const { put, written, listings } = await prepare();
    const file = temporaryFile(table, 'events.csv');
    const { code, stderr } = await put('--batch', file);
    expect([code, written(), listings()]).toEqual([2, [], 1]);
    expect(stderr.split('\n').slice(1, 3)).toEqual([
      `  row 2 (line 3): notify.users: ${requestWords.unknownUser('u-gerta')} ${greta}`,
      `  row 4 (line 5): notify.users: ${requestWords.unknownUser('u-x')}`,
    ]);
    expect((await put('--batch', file, '--check')).code).toBe(8);
    expect((await put('--batch', file, '--skip-checks')).code).toBe(0);
    expect(written()).toHaveLength(4);
  });
});
