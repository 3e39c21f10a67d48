import type { Download } from '../../api/download.ts';
import type { File } from '../../api/file.ts';
import { assetPlans } from './assetPlans.ts';
import { deliverablesOf } from './files.ts';
import { projectOf } from './studios.ts';
import { hour } from './time.ts';
import { users } from './users.ts';

/** About four months of a busy service. */
export const usualDownloads = 2600;

/** From the oldest to the newest, evenly spread but for some jitter: the same for the same `now`. */
export function* downloads(now: number, count: number): Generator<Download> {
  const files = assetPlans.flatMap((plan) =>
    deliverablesOf(plan, now).map((file) => ({ plan, file })),
  );
  const random = generator(20_260_401);
  for (let at = 1; at <= count; at += 1) {
    const { plan, file } = pick(files, random());
    yield {
      _id: `d-${String(at).padStart(6, '0')}`,
      asset: { _id: `a-${plan.number}`, name: plan.name, type: plan.type },
      project: { _id: plan.project, name: projectOf(plan.project).name },
      file: fileSummary(file),
      created: Math.floor(now - (count - at + random()) * hour),
      user: pick(users, random())._id,
    };
  }
}

const fileSummary = ({ _id, asset, name, project, studio }: File) => ({
  _id,
  asset,
  name,
  project,
  studio,
});

/** Real use is uneven: the first ones are picked more often. */
function pick<T>(choices: readonly T[], random: number): T {
  const choice = choices[Math.floor(random * random * choices.length)];
  if (choice === undefined) throw new Error('nothing to pick from');
  return choice;
}

/** Numbers from 0 to 1, always the same ones (a linear congruential generator). */
function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
