import { createHash } from 'node:crypto';
import type { Download, File } from '../../api/file.ts';
import { link } from '../newRecords.ts';
import {
  type AssetPlan,
  assetId,
  assetPlans,
  day,
  hour,
  type ProjectId,
  projectOf,
  projects,
  thumbnailId,
} from './demoAssets.ts';
import { users } from './demoUsers.ts';

interface FilePlan {
  id: string;
  project: ProjectId;
  asset?: string;
  name: string;
  tags: string[];
  created: number;
  embargoEnd?: number;
}

export function thumbnailOf(plan: AssetPlan, now: number): File {
  const id = thumbnailId(plan);
  const created = now - plan.ageInDays * day + hour;
  const name = `${plan.slug}-thumbnail.jpg`;
  const { project } = plan;
  return {
    ...toFile({ id, project, asset: assetId(plan), name, tags: ['thumbnail'], created }),
    ...storedImage(id, 'image/jpeg', created),
  };
}

export function logos(now: number): File[] {
  return projects.map(({ _id: project, slug, logo: id }, index) => {
    const created = now - (200 - index) * day;
    const name = `${slug}-title-treatment.png`;
    return {
      ...toFile({ id, project, name, tags: ['logo'], created }),
      ...storedImage(id, 'image/png', created),
    };
  });
}

/** The files that a vendor downloads to work on an asset. */
export function deliverablesOf(plan: AssetPlan, now: number): File[] {
  const { number, slug, mediaType, ageInDays, project } = plan;
  const nameByTag =
    mediaType === 'video'
      ? {
          master: `${slug}_ProRes422HQ_2398_51.mov`,
          textless: `${slug}_textless_ProRes422HQ.mov`,
          script: `${slug}_spotting list (eng).pdf`,
          'm-and-e': `${slug}_M&E_51_48k24b.wav`,
        }
      : { layered: `${slug}_layered_CMYK.psd`, flat: `${slug}_flat_RGB.tif` };
  return Object.entries(nameByTag).map(([tag, name], index) =>
    toFile({
      id: `f-${number}-${tag}`,
      project,
      asset: assetId(plan),
      name,
      tags: [tag, mediaType],
      created: now - ageInDays * day + (index + 3) * hour,
      ...(ageInDays < 10 && { embargoEnd: now + 14 * day }),
    }),
  );
}

function toFile({ id, project, asset, name, tags, created, embargoEnd }: FilePlan): File {
  const { studio, slug } = projectOf(project);
  return {
    _id: id,
    studio,
    project,
    ...(asset && { asset }),
    name,
    language: 'eng',
    country: 'US',
    tags,
    path: `/${studio.slice(2)}/${slug}/${name}`,
    verified: true,
    embargo: { event: embargoEnd !== undefined, ...(embargoEnd && { end: embargoEnd }) },
    warnings: [],
    aspera: { username: 'demo-transfer' },
    created,
    $flags: [],
    $links: {
      self: link('File', id),
      project: link('Project', project),
      ...(asset && { asset: link('Asset', asset) }),
    },
    $aspera: { downloaded: false },
  };
}

const storedImage = (id: string, mime: string, uploadDate: number) => ({
  mime,
  bucket: 'thumbnails',
  chunkSize: 261_120,
  length: 40_000 + 977 * id.length,
  md5: createHash('md5').update(id).digest('hex'),
  uploadDate,
});

/** One download about every hour up to `now`, oldest first. The same `now` gives the same list. */
export function* downloads(now: number, count: number): Generator<Download> {
  const files = assetPlans.flatMap((plan) =>
    deliverablesOf(plan, now).map((file) => ({ plan, file })),
  );
  const random = seededRandom(20_260_401);
  for (let number = 1; number <= count; number += 1) {
    const { plan, file } = pickMostlyFirst(files, random());
    const { _id, asset, name, project, studio } = file;
    yield {
      _id: `d-${String(number).padStart(6, '0')}`,
      asset: { _id: assetId(plan), name: plan.name, type: plan.type },
      project: { _id: plan.project, name: projectOf(plan.project).name },
      file: { _id, asset, name, project, studio },
      created: Math.floor(now - (count - number + random()) * hour),
      user: pickMostlyFirst(users, random())._id,
    };
  }
}

/** Favours the first choices, because real use is uneven. */
function pickMostlyFirst<T>(choices: readonly T[], random: number): T {
  const choice = choices[Math.floor(random * random * choices.length)];
  if (choice === undefined) throw new Error('nothing to pick from');
  return choice;
}

/** A linear congruential generator of numbers from 0 to 1. */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
