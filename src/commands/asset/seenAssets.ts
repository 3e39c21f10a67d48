import type { Context } from '../../context.ts';
import { isObject } from '../../json/value.ts';
import type { RecordKey, SeenRecords } from '../../records/seenRecords.ts';
import type { FoundRecord } from '../read/get.ts';

/*
 * The states of assets that the user has seen. A later write is refused if it would undo what others
 * changed since then.
 */

/** Loads node:crypto, which `asset get` needs only after its output is printed. */
export async function openSeenRecords({ folders }: Context): Promise<SeenRecords> {
  const { SeenRecords } = await import('../../records/seenRecords.ts');
  return SeenRecords.open(folders.state);
}

export function assetKey(context: Context, id: string): RecordKey {
  const { baseUrl, email } = context.identity();
  return { service: baseUrl.href, email, resource: 'Asset', id };
}

export function rememberPrinted(context: Context): (found: FoundRecord) => Promise<void> {
  let seen: SeenRecords | undefined;
  return async ({ id, record }) => {
    try {
      seen ??= await openSeenRecords(context);
      const records = seen;
      context.world.interruptible(() => {
        const { tree } = record;
        if (!isObject(tree) || tree.get('_id') !== id) return;
        records.remember(assetKey(context, id), tree);
      });
    } catch {
      // The folder may be full or read-only. Writes are then guarded without it.
    }
  };
}
