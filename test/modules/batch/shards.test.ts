import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shardFrom } from '../../../src/modules/batch/shards.ts';
import { newBatch, numbered } from './harness.ts';

type Variables = Record<string, string>;

const known: [string, Variables, string, string][] = [
  ['GitLab', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }, 'auto', '2/4'],
  ['a single GitLab job', { CI_NODE_TOTAL: '1' }, 'auto', '1/1'],
  ['CircleCI', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '4' }, 'auto', '1/4'],
  ['Buildkite', { BUILDKITE_PARALLEL_JOB: '3', BUILDKITE_PARALLEL_JOB_COUNT: '4' }, 'auto', '4/4'],
  ['Azure', { SYSTEM_JOBPOSITIONINPHASE: '1', SYSTEM_TOTALJOBSINPHASE: '2' }, 'auto', '1/2'],
  ['Kubernetes', { JOB_COMPLETION_INDEX: '7' }, 'auto/8', '8/8'],
  ['AWS', { AWS_BATCH_JOB_ARRAY_INDEX: '0', AWS_BATCH_JOB_ARRAY_SIZE: '3' }, 'auto', '1/3'],
  [
    'Kubernetes in a single CI job',
    { JOB_COMPLETION_INDEX: '1', CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '1' },
    'auto/8',
    '2/8',
  ],
];

test.each(known)('--shard auto knows %s', (_, env, text, expected) => {
  const { index, count } = shardFrom(text, env);
  expect(`${index}/${count}`).toBe(expected);
});

const unclear: [Variables, string, RegExp][] = [
  [{}, 'auto', /--shard 1\/4/],
  [{ CI_NODE_INDEX: '2' }, 'auto', /CI_NODE_INDEX=2[\s\S]*--shard auto\/8/],
  [{ JOB_COMPLETION_INDEX: '2' }, 'auto', /Kubernetes .*JOB_COMPLETION_INDEX=2/],
  [{ JOB_COMPLETION_INDEX: '8' }, 'auto/8', /JOB_COMPLETION_INDEX=8 .*8 jobs/],
  [{ SYSTEM_JOBPOSITIONINPHASE: '0' }, 'auto/8', /SYSTEM_JOBPOSITIONINPHASE=0 .*8 jobs/],
  [{ CI_NODE_INDEX: 'x', CI_NODE_TOTAL: '4' }, 'auto', /CI_NODE_INDEX=x .*4 jobs/],
  [{ CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, 'auto/8', /CI_NODE_INDEX .*4 jobs/],
  [{ CI_NODE_TOTAL: '1' }, 'auto/4', /1 job\b/],
  [
    { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4', JOB_COMPLETION_INDEX: '1' },
    'auto/4',
    /GitLab.*Kubernetes/,
  ],
];

test.each(unclear)('--shard auto refuses what is unclear: %j %s', async (env, text, facts) => {
  const { service, batch } = await newBatch(numbered(2));
  const { code, stderr } = await batch.run(['--shard', text], { env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(facts) });
  expect(service.received).toEqual([]);
});

test('jobs that take their part from the environment send every row once', async () => {
  const { service, batch } = await newBatch(numbered(10));
  for (const index of ['1', '2']) {
    const env = { CI_NODE_INDEX: index, CI_NODE_TOTAL: '2' };
    expect((await batch.run(['--shard', 'auto'], { env })).code).toBe(0);
    expect(existsSync(`${batch.file}.${index}-of-2.mar-journal`)).toBe(true);
  }
  expect(new Set(service.received.map(({ instructions }) => instructions)).size).toBe(10);
  expect(service.received).toHaveLength(10);
});
