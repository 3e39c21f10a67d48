import type { JsonObject } from '../../json/value.ts';
import { demoPassword } from '../constants.ts';
import { hashPassword, standInPassword } from './accounts.ts';
import type { Database } from './database.ts';
import { type Kind, RecordStore } from './recordStore.ts';

export interface SeedRecord {
  kind: Kind;
  id: string;
  record: JsonObject;
}

/** The records of a new database. Made one at a time: there may be many. */
export type Seed = Iterable<SeedRecord>;

/**
 * Writes the records, and an account for each user. Uses one transaction: if the process is killed,
 * the next start finds what was there before.
 */
export async function fillDatabase(database: Database, seed: () => Seed, prepare: () => void) {
  const now = Date.now();
  // One hash for all, because hashing is slow on purpose and the password is no secret.
  const passwordHash = await hashPassword(demoPassword);
  database.transaction(() => {
    prepare();
    const store = new RecordStore(database);
    for (const { kind, id, record } of seed()) {
      if (kind === 'User') {
        record.set('password', standInPassword(id));
        store.accounts.add(id, String(record.get('emailNormal') ?? id), passwordHash);
      }
      store.insert(kind, id, record, now);
    }
  });
}
