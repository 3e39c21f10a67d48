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

test('a journal that was cut off anywhere is refused, or is what it was at an earlier time', async () => {
  const service = await writeService();
  const batch = batchOf(service, numbered(2));
  await batch.run(['--concurrency', '1']);
  const bytes = readFileSync(batch.journal);
  const headerEnd = bytes.indexOf('\n') + 1;
  for (let size = 0; size < bytes.length; size += 1) {
    writeFileSync(batch.journal, bytes.subarray(0, size));
    if (size < headerEnd) await expect(replay(batch.journal)).rejects.toThrow(batch.journal);
    else {
      const { states } = (await replay(batch.journal)) ?? {};
      const text = bytes.toString('utf8', 0, size);
      const isDone = /"row":1,"event":"done".*\}/.test(text);
      const isSending = /"row":1,"event":"sending".*\}/.test(text);
      expect(states?.get(1)).toBe(isDone ? 'done' : isSending ? 'sending' : 'pending');
    }
  }
});
