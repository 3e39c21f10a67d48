import { usageError } from '../errors.ts';

/** Every N-th row: which rows are in it depends on nothing but their number. */
export interface Shard {
  index: number;
  count: number;
}

export const wholeInput: Shard = { index: 1, count: 1 };

/** `2/4`: the second of four slices. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw usageError(
    `--shard takes which slice of how many, such as 1/4, not "${text}"`,
    'slices are counted from 1: --shard 1/4 to --shard 4/4',
  );
}

export const isInShard = (row: number, { index, count }: Shard) => (row - 1) % count === index - 1;

/** How many of so many rows are in it. */
export const shardSize = (rows: number, { index, count }: Shard) =>
  Math.max(0, Math.ceil((rows - index + 1) / count));
