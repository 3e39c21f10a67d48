import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from '../../src/batch/journal/replay.ts';
import { batchOf, numbered } from '../batch/harness.ts';
import { writeService } from '../harness/writeService.ts';

test('no single flipped bit of a journal passes unnoticed', { timeout: 120_000 }, async () => {
  const service = await writeService();
  const batch = batchOf(service, numbered(2));
  await batch.run(['--concurrency', '1']);
  const bytes = readFileSync(batch.journal);
  const unnoticed: string[] = [];
  for (let place = 0; place < bytes.length; place += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (bytes[place] as number) ^ (1 << bit);
      writeFileSync(batch.journal, damaged);
      const isRefused = await replay(batch.journal).then(
        () => false,
        () => true,
      );
      if (!isRefused) unnoticed.push(`byte ${place}, bit ${bit}`);
    }
  }
  expect(unnoticed).toEqual([]);
});
