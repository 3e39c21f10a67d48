import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import mime from 'mime';
import { MarError, usageError } from '../../errors.ts';
import { formatSeconds, ProgressLine } from '../../terminal/progressLine.ts';
import type { World } from '../../world.ts';
import { type LocalFile, unreadable } from './localFile.ts';

/** What the service calls them where it shows a stored file. */
export interface Measured {
  /** By the name's ending; none if that says nothing. */
  mime?: string;
  length: number;
  md5: string;
}

/** Fewer, larger reads: the sum is what takes the time. */
const chunkBytes = 1024 * 1024;

/** Reads a file once, with progress. One that changes meanwhile is refused: its sum fits no state. */
export async function measure(file: LocalFile, world: World): Promise<Measured> {
  const { size } = file.stats;
  const sum = createHash('md5');
  let length = 0;
  const progress = new ProgressLine(world, (elapsedMs) => partsOf(length, size, elapsedMs));
  try {
    const { signal } = world;
    for await (const chunk of createReadStream(file.path, { highWaterMark: chunkBytes, signal })) {
      sum.update(chunk);
      length += chunk.length;
    }
  } catch (error) {
    throw error instanceof MarError || world.signal.aborted ? error : unreadable(file.path, error);
  } finally {
    await progress.end();
  }
  refuseChanged(file, length);
  const type = mime.getType(file.path);
  return { ...(type && { mime: type }), length, md5: sum.digest('hex') };
}

function refuseChanged({ path: file, stats }: LocalFile, length: number): void {
  const after = statSync(file, { throwIfNoEntry: false });
  if (after?.mtimeMs === stats.mtimeMs && after.size === stats.size && length === stats.size)
    return;
  throw usageError(`${file} changed while it was read`, 'try again when it is complete');
}

function partsOf(done: number, size: number, elapsedMs: number): string[] {
  if (done === 0) return ['reading the file', formatSeconds(elapsedMs / 1000)];
  const rate = done / (elapsedMs / 1000);
  return [
    `MD5 of ${formatBytes(done)} of ${formatBytes(size)}`,
    // Rounded down: it is not 100 % before all is there.
    `${Math.floor((100 * done) / Math.max(size, 1))} %`,
    `${formatSeconds(Math.max(size - done, 0) / rate)} left`,
    `${formatBytes(rate)}/s`,
  ];
}

/** To three digits, as file managers do: 8.42 GB. */
function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 4);
  const amount = bytes / 1000 ** power;
  const digits = power === 0 ? 0 : Math.max(2 - Math.floor(Math.log10(amount)), 0);
  return `${amount.toFixed(digits)} ${['bytes', 'kB', 'MB', 'GB', 'TB'][power]}`;
}
