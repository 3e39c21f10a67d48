import { expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const name = 'The Harbor Light '.repeat(8).trim();

/** The width of the longest line of a table. */
async function widthWith(COLUMNS: string, columns?: number): Promise<number> {
  const { env } = await recordingServer(`[{"_id":"f-1","name":"${name}"}]`);
  const argv = ['file', 'list', '-o', 'table', '--no-color'];
  const { stdout } = await mar(argv, { env: { ...env, COLUMNS }, columns });
  return Math.max(...stdout.split('\n').map((line) => line.trimEnd().length));
}

it('COLUMNS is the width where no terminal knows it', async () => {
  const usual = await widthWith('');
  expect(await widthWith('50')).toBeLessThanOrEqual(50);
  expect(await widthWith('120')).toBeGreaterThan(usual);
  expect(await widthWith('50', 100)).toBeGreaterThan(80);
  for (const wrong of ['0', '-5', 'wide', '1e9', '99999']) {
    expect(await widthWith(wrong), wrong).toBe(usual);
  }
});
