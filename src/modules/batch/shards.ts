import { onCommandLine, usageError, withFacts } from '../../core/errors.ts';
import type { Environment } from '../../core/values/environment.ts';
import { plural } from '../../core/values/numbers.ts';

export interface Shard {
  index: number;
  count: number;
}

/** `2/4` is the second of four slices. */
function readShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

export function parseShard(text: string): Shard {
  const shard = readShard(text);
  if (shard) return shard;
  throw usageError(
    `--shard takes a part and the number of parts, such as 1/4, not "${text}"`,
    'Parts are counted from 1: --shard 1/4 to --shard 4/4',
    { flag: '--shard', value: text },
  );
}

/**
 * The variables with the index of a job and the number of jobs. Without the latter, the number is
 * given: `--shard auto/8`. `first` is the index of the first job.
 */
type JobSystem = readonly [name: string, first: 0 | 1, index: string, count?: string];

const systems: readonly JobSystem[] = [
  ['GitLab', 1, 'CI_NODE_INDEX', 'CI_NODE_TOTAL'],
  ['CircleCI', 0, 'CIRCLE_NODE_INDEX', 'CIRCLE_NODE_TOTAL'],
  ['Buildkite', 0, 'BUILDKITE_PARALLEL_JOB', 'BUILDKITE_PARALLEL_JOB_COUNT'],
  ['Azure Pipelines', 1, 'SYSTEM_JOBPOSITIONINPHASE', 'SYSTEM_TOTALJOBSINPHASE'],
  ['Kubernetes', 0, 'JOB_COMPLETION_INDEX'],
  ['AWS Batch', 0, 'AWS_BATCH_JOB_ARRAY_INDEX', 'AWS_BATCH_JOB_ARRAY_SIZE'],
];

const refused = (problem: string, next = 'Name the part: --shard 1/4') =>
  usageError(`--shard auto${problem}`, onCommandLine(`Nothing was sent. ${next}`));

/** `2/4`, or `auto` and `auto/4`, which take the index of the job from its environment. */
export function shardFrom(text: string, env: Environment): Shard {
  const [isAuto, given] = /^auto(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  if (isAuto === undefined) return parseShard(text);
  return withFacts({ flag: '--shard', value: text }, () => autoShard(env, given));
}

function autoShard(env: Environment, given: string | undefined): Shard {
  const found = systems.flatMap((system) => {
    const shard = shardOf(system, env, given);
    return shard ? [{ shard, variable: `${system[2]} (${system[0]})` }] : [];
  });
  // A job that is alone in its system may start several of another one.
  const [one = found[0], other] = found.filter(({ shard }) => shard.count > 1);
  if (one && other) {
    throw refused(` is ambiguous: ${one.variable} and ${other.variable} are both set`);
  }
  if (one && given !== undefined && one.shard.count !== Number(given)) {
    const problem = `/${given}: ${one.variable} is that of ${plural(one.shard.count, 'job')}`;
    throw refused(problem, 'Use --shard auto, or name the part: --shard 1/4');
  }
  if (one) return one.shard;
  const variables = systems.map(([, , index]) => index).join(', ');
  throw refused(
    ' found no index of a job in the environment',
    `It reads ${variables}. Or name the part: --shard 1/4`,
  );
}

function shardOf(
  [name, first, indexVariable, countVariable]: JobSystem,
  env: Environment,
  given: string | undefined,
): Shard | undefined {
  const index = env[indexVariable];
  const known = countVariable === undefined ? undefined : env[countVariable];
  // GitLab sets only the number, 1, in a job that is not parallel.
  if (index === undefined) return known === '1' ? { index: 1, count: 1 } : undefined;
  const count = known ?? given;
  if (count === undefined) {
    const problem = `: ${name} sets ${indexVariable}=${index}, but not the number of jobs`;
    throw refused(problem, 'Add the number: --shard auto/8');
  }
  const part = /^\d+$/.test(index) ? Number(index) - first + 1 : Number.NaN;
  const shard = readShard(`${part}/${count}`);
  if (shard) return shard;
  const jobs = `the ${count} jobs of ${name}, which start at ${first}`;
  throw refused(`: ${indexVariable}=${index} is outside ${jobs}`);
}
