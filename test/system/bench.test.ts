import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fetchNode, nodeMajors } from '../../scripts/nodeVersions.mjs';
import { root } from '../harness/package.ts';

/** Sizes with which a benchmark takes seconds. What it measures with them means nothing. */
const tiny = {
  BENCH_ROUNDS: '1',
  BENCH_RECORDS: '100',
  BENCH_ROWS: '10',
  BENCH_LINES: '20',
  BENCH_SECONDS: '1',
  BENCH_LIMITS: 'off',
};

beforeAll(() => {
  // Downloads, the first time.
  for (const major of nodeMajors) fetchNode(major);
});

describe('npm run bench', () => {
  it('names the parts that there are, if one is unknown', () => {
    const argv = ['scripts/bench.mjs', 'batc'];
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/batc;.*\bbatch\b/),
    });
  });

  const scripts = readdirSync(path.join(root, 'scripts/bench')).filter((name) => /mjs$/.test(name));

  it.each(scripts)(
    'runs %s to its end',
    (script) => {
      const part = path.basename(script, '.mjs');
      const { status, stderr } = spawnSync(process.execPath, ['scripts/bench.mjs', part], {
        cwd: root,
        env: { ...process.env, ...tiny },
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
    120_000,
  );
});
