import type { Resource } from '../../api/endpoints.ts';
import { isDifferentRecord } from '../../client/response.ts';
import { rememberIds, type UsedId, usedIds } from '../../config/usedIds.ts';
import type { Context } from '../../context.ts';
import { valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { sanitise } from '../../terminal/sanitise.ts';

const namePaths = ['name', 'title', 'label', 'asset.name', 'project.name', 'file.name', 'type'];
/** Fields that tell records of the same name apart. */
const variantPaths = ['language', 'territory'];

/** Stores ids for Tab, `recent` and `find`: the given ones, or those of the records. */
export async function remember(
  context: Context,
  resource: Resource,
  used: readonly { id?: string; record: ServiceRecord }[],
): Promise<void> {
  if (context.settings.rememberIds === 'off') return;
  const { origin } = context.identity().baseUrl;
  const usedAt = context.world.now().getTime();
  const named = used.flatMap(({ record, id = valueAt(record.value, '_id') }) =>
    typeof id === 'string' && !isDifferentRecord(record.value, id)
      ? [{ origin, resource, id, name: nameOf(record.value), usedAt }]
      : [],
  );
  await rememberIds(context.folders.state, named);
}

/** The ids that were used at this service, from the most recent to the oldest. */
export function recentIds(context: Context, resource?: Resource): UsedId[] {
  if (context.settings.rememberIds === 'off') return [];
  const { origin } = context.identity().baseUrl;
  return usedIds(context.folders.state, { origin, resource });
}

function nameOf(record: unknown): string {
  const textAt = (path: string) => {
    const text = valueAt(record, path);
    return typeof text === 'string' ? sanitise(text).trim() : '';
  };
  const name = namePaths.map(textAt).find(Boolean);
  return [name, ...variantPaths.map(textAt)].filter(Boolean).join(', ');
}
