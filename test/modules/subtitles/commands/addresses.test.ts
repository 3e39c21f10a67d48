import { expect, it } from 'vitest';
import { expectRecordsOf } from '../../../core/commands/addressService.ts';
import { refused } from '../../../harness/marWith.ts';

it.each(['translation export PAGE', 'translation check PAGE', 'translation diff PAGE PAGE'])(
  'an id may be an address: mar %s',
  async (line) => {
    await expectRecordsOf(line);
  },
);

it('a file of subtitles that begins like an address stays a file', async () => {
  const stderr = await refused(['translation', 'check', '//nonexistent/a.srt']);
  expect(stderr).toContain('cannot read //nonexistent/a.srt');
});
