import { usageError } from '../../errors.ts';
import { parseShard, readShard, type Shard } from './journal/journalPaths.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface JobSystem {
  name: string;
  index: string;
  /** The variable with the number of jobs. Without one, it is given: `--shard auto/8`. */
  count?: string;
  /** The index of the first job. */
  first: 0 | 1;
}

const systems: readonly JobSystem[] = [
  { name: 'GitLab', index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', first: 0 },
  {
    name: 'Buildkite',
    index: 'BUILDKITE_PARALLEL_JOB',
    count: 'BUILDKITE_PARALLEL_JOB_COUNT',
    first: 0,
  },
  {
    name: 'Azure Pipelines',
    index: 'SYSTEM_JOBPOSITIONINPHASE',
    count: 'SYSTEM_TOTALJOBSINPHASE',
    first: 1,
  },
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', first: 0 },
  {
    name: 'AWS Batch',
    index: 'AWS_BATCH_JOB_ARRAY_INDEX',
    count: 'AWS_BATCH_JOB_ARRAY_SIZE',
    first: 0,
  },
  { name: 'Slurm', index: 'SLURM_ARRAY_TASK_ID', count: 'SLURM_ARRAY_TASK_COUNT', first: 0 },
  { name: 'GNU parallel', index: 'PARALLEL_SEQ', first: 1 },
];

/** `2/4`, or `auto` and `auto/4`, which take the index of the job from its environment. */
export function shardFrom(text: string, env: Environment): Shard {
  const [isAuto, given] = /^auto(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  if (isAuto === undefined) return parseShard(text);
  const found = systems
    .map((system) => ({ system, shard: shardOf(system, env, given) }))
    .filter(({ shard }) => shard !== undefined) as { system: JobSystem; shard: Shard }[];
  // A job that is alone in its system may start several of another one.
  const several = found.filter(({ shard }) => shard.count > 1);
  const [one, other] = several.length > 0 ? several : found;
  if (one && other && several.length > 0) {
    throw usageError(
      `--shard auto is ambiguous: ${one.system.index} (${one.system.name}) and ${other.system.index} (${other.system.name}) are both set`,
      'Nothing was sent. Name the part: --shard 1/4',
    );
  }
  if (one) return one.shard;
  throw usageError(
    '--shard auto found no index of a job in the environment',
    `It reads ${systems.map(({ index }) => index).join(', ')}. Or name the part: --shard 1/4`,
  );
}

function shardOf(
  system: JobSystem,
  env: Environment,
  given: string | undefined,
): Shard | undefined {
  const { name, first } = system;
  const index = env[system.index];
  const known = system.count === undefined ? undefined : env[system.count];
  // GitLab sets only the number, 1, in a job that is not parallel.
  if (index === undefined) return known === '1' ? { index: 1, count: 1 } : undefined;
  const count = known ?? given;
  if (count === undefined) {
    throw usageError(
      `--shard auto: ${name} sets ${system.index}=${index}, but not the number of jobs`,
      'Nothing was sent. Add the number: --shard auto/8',
    );
  }
  const number = Number(count);
  if (given !== undefined && number > 1 && Number(given) !== number) {
    throw usageError(
      `--shard auto/${given}: ${system.count} says that there are ${count} jobs`,
      'Nothing was sent. Use --shard auto, or name the part: --shard 1/4',
    );
  }
  const { start, step } = name === 'Slurm' ? slurmArray(env, number) : { start: first, step: 1 };
  const part = /^\d+$/.test(index) ? (Number(index) - start) / step + 1 : Number.NaN;
  const shard = readShard(`${part}/${count}`);
  if (shard) return shard;
  throw usageError(
    `--shard auto: ${system.index}=${index} is outside the ${count} jobs of ${name}, which start at ${start}`,
    'Nothing was sent. Name the part: --shard 1/4',
  );
}

/** An array such as 1,3,7 has no step: an index does not tell the part of its job. */
function slurmArray(env: Environment, count: number): { start: number; step: number } {
  const { SLURM_ARRAY_TASK_MIN: min, SLURM_ARRAY_TASK_MAX: max } = env;
  const { SLURM_ARRAY_TASK_STEP = '1' } = env;
  const step = Number(SLURM_ARRAY_TASK_STEP);
  if ((Number(max) - Number(min)) / step + 1 === count) return { start: Number(min), step };
  throw usageError(
    `--shard auto: the Slurm array from ${min} to ${max} has ${count} jobs, so the place of each is not known`,
    'Nothing was sent. Number the jobs without gaps, such as --array=1-8, or name the part: --shard 1/4',
  );
}
