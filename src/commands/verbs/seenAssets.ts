import type { Answered } from '../../client/answer.ts';
import type { Context } from '../../context.ts';
import { parseJson } from '../../json/parse.ts';
import { isObject } from '../../json/value.ts';
import type { SeenRecords, Whose } from '../../records/seen.ts';

export function whoseAsset(context: Context, id: string): Whose {
  const { baseUrl, email } = context.identity();
  return { service: baseUrl.href, email, resource: 'Asset', id };
}

/** Loaded late: it is needed once the output is written. */
export async function openSeen({ folders }: Context): Promise<SeenRecords> {
  const { SeenRecords } = await import('../../records/seen.ts');
  return SeenRecords.open(folders.state);
}

/** Remembers each asset that was shown, after it was printed: nobody waits for it. */
export function assetMemory(context: Context): (answer: Answered<unknown>) => Promise<void> {
  let seen: SeenRecords | undefined;
  return async ({ text }) => {
    try {
      seen ??= await openSeen(context);
      const records = seen;
      context.world.interruptible(() => {
        const json = parseJson(text, { lastKeyCounts: true });
        const id = isObject(json) ? json.get('_id') : undefined;
        if (isObject(json) && typeof id === 'string') {
          records.remember(whoseAsset(context, id), json);
        }
      });
    } catch {
      // A folder that is full or read-only is no reason to fail: the guard then does without.
    }
  };
}
