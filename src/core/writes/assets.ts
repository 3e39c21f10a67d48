import { endpoints } from '../api/endpoints.ts';
import { MarError, usageError } from '../errors.ts';
import { type Input, option } from '../input.ts';
import type { JsonObject } from '../json/value.ts';
import type { Results } from '../output/result.ts';
import type { View } from '../output/viewType.ts';
import type { Context } from '../session/context.ts';
import { words } from '../values/commandLine.ts';
import { readVersion } from './apply.ts';
import { type Plan, planChange, planWhole, type Target, type Version } from './plan.ts';
import { refuseMistakes } from './refuseMistakes.ts';
import { review } from './review.ts';
import type { SeenAssets } from './seenAssets.ts';
import { carryOut, unchanged } from './write.ts';

export const overwriteOption = option('--force', 'overwrite changes by others');

export const idChangedError = (id: string) =>
  usageError(`the _id of an asset cannot change: expected ${JSON.stringify(id)}`, { value: id });

export const readAsset = (context: Context, id: string) =>
  readVersion(context, endpoints.assetGet, id);

/** An asset that is about to be changed, with the states in which the user saw it if they matter. */
export const assetTarget = ({ options }: Input, id: string, seen?: SeenAssets): Target => ({
  endpoint: 'assetPut',
  name: `asset ${id}`,
  shownBy: words`mar asset get ${id}`,
  force: options.force === true,
  seen: seen?.statesOf(id) ?? [],
});

interface AssetWrite {
  view: View;
  input: Input;
  target: Target;
}

/** Applies the changes from `first` to `mine` to the newest version of an asset. */
export async function* changeAsset(
  context: Context,
  asset: AssetWrite,
  first: Version,
  mine: JsonObject,
): Results {
  const plan = context.world.interruptible(() => planChange(asset.target, first, mine));
  yield* writeAsset(context, asset, plan, first.record);
}

/** Writes a whole asset, over the version in `base` if there is one. */
export async function* replaceAsset(
  context: Context,
  asset: AssetWrite & { id: string },
  mine: JsonObject,
  base: JsonObject | undefined,
): Results {
  const { target, id } = asset;
  const current = await readAsset(context, id).catch((error: unknown) => {
    if (error instanceof MarError && error.kind === 'not-found') return undefined;
    throw error;
  });
  if (!current) {
    const text = `Asset ${id} does not exist yet. The API does not say whether writing it creates it.`;
    const plan = { endpoint: target.endpoint, body: mine, isNew: true, remarks: [{ text }] };
    return yield* writeAsset(context, asset, plan);
  }
  const plan = context.world.interruptible(() => planWhole(target, current, mine, base));
  yield* writeAsset(context, asset, plan, current.record);
}

async function* writeAsset(
  context: Context,
  asset: AssetWrite,
  plan: Plan | undefined,
  before?: JsonObject,
): Results {
  const { target, input } = asset;
  if (!plan) return yield* unchanged(context, target.name, before ?? new Map(), asset);
  await refuseMistakes(context, { endpoint: target.endpoint, input }, plan.body, before);
  await review(context, input, plan);
  yield* carryOut(context, plan, asset);
}
