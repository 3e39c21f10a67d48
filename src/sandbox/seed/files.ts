import { createHash } from 'node:crypto';
import type { File } from '../../api/file.ts';
import { link } from '../links.ts';
import { type AssetPlan, assetId, thumbnailId } from './assetPlans.ts';
import { type ProjectId, projectOf, projects } from './studios.ts';
import { day, hour } from './time.ts';

interface FilePlan {
  id: string;
  project: ProjectId;
  asset?: string;
  name: string;
  tags: string[];
  created: number;
  /** Until when it must not be shown. */
  embargoEnd?: number;
}

/** An image, with what its storage knows about it: embedded assets show that of their thumbnail. */
export function thumbnailOf(plan: AssetPlan, now: number): File {
  const uploaded = now - plan.age * day + hour;
  return {
    ...toFile({
      id: thumbnailId(plan),
      project: plan.project,
      asset: assetId(plan),
      name: `${plan.slug}-thumbnail.jpg`,
      tags: ['thumbnail'],
      created: uploaded,
    }),
    ...stored(thumbnailId(plan), 'image/jpeg', uploaded),
  };
}

export function logos(now: number): File[] {
  return projects.map(({ _id, slug, logo }, at) => {
    const uploaded = now - (200 - at) * day;
    return {
      ...toFile({
        id: logo,
        project: _id,
        name: `${slug}-title-treatment.png`,
        tags: ['logo'],
        created: uploaded,
      }),
      ...stored(logo, 'image/png', uploaded),
    };
  });
}

/** What a vendor fetches: the master, the script, and the sound without voices. */
export function deliverablesOf(plan: AssetPlan, now: number): File[] {
  const { number, slug, mediaType, age, project } = plan;
  const kinds =
    mediaType === 'video'
      ? [
          ['master', `${slug}_ProRes422HQ_2398_51.mov`],
          ['textless', `${slug}_textless_ProRes422HQ.mov`],
          ['script', `${slug}_spotting list (eng).pdf`],
          ['m-and-e', `${slug}_M&E_51_48k24b.wav`],
        ]
      : [
          ['layered', `${slug}_layered_CMYK.psd`],
          ['flat', `${slug}_flat_RGB.tif`],
        ];
  return kinds.map(([tag = '', name = ''], at) =>
    toFile({
      id: `f-${number}-${tag}`,
      project,
      asset: assetId(plan),
      name,
      tags: [tag, mediaType],
      created: now - age * day + (at + 3) * hour,
      ...(age < 10 && { embargoEnd: now + 14 * day }),
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

const stored = (id: string, mime: string, uploadDate: number) => ({
  mime,
  bucket: 'thumbnails',
  chunkSize: 261_120,
  length: 40_000 + 977 * id.length,
  md5: createHash('md5').update(id).digest('hex'),
  uploadDate,
});
