import { it } from 'vitest';
import { expectRecordsOf } from '../../core/commands/addressService.ts';

it.each(['wr history PAGE', 'wr wait //h.example/api/workrequests/wr-2 --status done'])(
  'an id may be an address: mar %s',
  async (line) => {
    await expectRecordsOf(line);
  },
);
