import { expect, test } from 'vitest';
import { Pause } from '../../../src/modules/batch/runner/pause.ts';
import { newBatch, numbered } from './harness.ts';

test('asked not to wait at all, a batch waits all the same', async () => {
  const cameAt: number[] = [];
  const { batch } = await newBatch(numbered(2), {
    treat(_, count) {
      cameAt.push(Date.now());
      return count === 1 ? { status: 429, headers: { 'Retry-After': '0' } } : {};
    },
  });
  await batch.ends(0, '2 rows: 2 done', ['--concurrency', '1']);
  const [first = 0, second = 0] = cameAt;
  expect(second - first).toBeGreaterThanOrEqual(990);
});

/** The seconds of each pause. After `end`, no row waits. */
const pauses = (starts: readonly ((pause: Pause) => void)[]) => {
  const pause = new Pause();
  return starts.map((start) => {
    start(pause);
    pause.end();
    return Math.round(pause.leftMs / 1000);
  });
};
const refused = (pause: Pause) => pause.start(undefined);

test('without a time to wait, each 429 doubles the pause until a row succeeds', () => {
  const succeeded = (pause: Pause) => {
    pause.succeeded();
    refused(pause);
  };
  expect(pauses([refused, refused, refused, refused])).toEqual([1, 2, 4, 8]);
  // A pause is never made shorter.
  expect(pauses([refused, refused, succeeded, refused])).toEqual([1, 2, 2, 2]);
});

test('rows that are refused together count once', () => {
  const together = (pause: Pause) => {
    for (let row = 0; row < 4; row += 1) refused(pause);
  };
  expect(pauses([together, refused])).toEqual([1, 2]);
});
