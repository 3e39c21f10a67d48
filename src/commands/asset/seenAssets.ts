import type { Context } from '../../context.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { isObject } from '../../json/value.ts';
import type { RecordKey, SeenRecords } from '../../records/seenRecords.ts';

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

export function rememberPrinted(context: Context): (asset: ServiceRecord) => Promise<void> {
  let seen: SeenRecords | undefined;
  return async (asset) => {
    try {
      seen ??= await openSeenRecords(context);
      const records = seen;
      context.world.interruptible(() => {
        const json = asset.tree;
        const id = isObject(json) ? json.get('_id') : undefined;
        if (isObject(json) && typeof id === 'string') {
          records.remember(assetKey(context, id), json);
        }
      });
    } catch {
      // The folder may be full or read-only. Writes are then guarded without it.
    }
  };
}
