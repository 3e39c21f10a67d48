import { Accounts } from './accounts.ts';
import type { Database } from './database.ts';
import { downloadWriter } from './downloads.ts';
import { tables } from './schema.ts';
import { hashPassword } from './secrets.ts';
import { seed } from './seed/seed.ts';
import { demoPassword } from './seed/users.ts';
import { Store } from './store.ts';

/**
 * Makes the tables and fills them, in one transaction: whoever is killed in the middle leaves an
 * empty database behind, which the next start fills.
 */
export async function fillDatabase(
  database: Database,
  now: number,
  downloads?: number,
): Promise<void> {
  const demo = seed(now, downloads);
  const accounts = await Promise.all(
    demo.accounts.map(async ({ userId, email }) => ({
      userId,
      email,
      passwordHash: await hashPassword(demoPassword),
    })),
  );
  database.transaction(() => {
    database.exec(tables);
    const store = new Store(database);
    for (const { kind, id, record } of demo.records) store.insert(kind, id, record, now);
    const writer = new Accounts(database);
    for (const { userId, email, passwordHash } of accounts) writer.add(userId, email, passwordHash);
    const write = downloadWriter(database);
    for (const download of demo.downloads) write(download);
  });
}
