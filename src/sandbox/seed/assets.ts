import type { Asset } from '../../api/asset.ts';
import { link } from '../links.ts';
import { type AssetPlan, assetId, thumbnailId } from './assetPlans.ts';
import { embeddedPreviewsOf } from './previews.ts';
import { projectOf } from './studios.ts';
import { day } from './time.ts';
import { workflowIn } from './workflow.ts';

export function toAsset(plan: AssetPlan, now: number): Asset {
  const { project, name, slug, type, mediaType, phase, aspectRatio, age } = plan;
  const { studio } = projectOf(project);
  const id = assetId(plan);
  return {
    _id: id,
    studio,
    project,
    name,
    importName: `${slug.replaceAll('-', '_').toUpperCase()}_V${1 + (plan.number % 3)}`,
    slug,
    type,
    mediaType,
    usage: usageOf(plan),
    thumbnail: thumbnailId(plan),
    verified: phase !== 'WIP',
    creative: mediaType === 'graphics',
    previews: embeddedPreviewsOf(plan, now),
    aspectRatio,
    transcription: { graphics: `tr-${plan.number}` },
    ...(phase && { workflow: workflowIn(phase) }),
    created: now - age * day,
    $links: {
      self: link('Asset', id),
      thumbnail: link('File', thumbnailId(plan)),
      project: link('Project', project),
      studio: link('Studio', studio),
      type: link('AssetType', type),
    },
    $flags: phase === 'WIP' ? ['work-in-progress'] : [],
    $permissions: permissionsOf(plan),
    $embargo: age < 10,
    $feedback: { share: 'allowed', vote: 'none', summary: [] },
  };
}

function usageOf({ type, mediaType }: AssetPlan): Asset['usage'] {
  const theatrical = type.startsWith('trailer') || type.startsWith('teaser');
  return {
    broadcast: mediaType === 'video',
    online: true,
    dcp: theatrical,
    film35: false,
    film70: false,
    dcp4k: theatrical,
    imax: type === 'trailer.intl',
    atmos: theatrical,
  };
}

function permissionsOf({ mediaType }: AssetPlan): Asset['$permissions'] {
  const video = mediaType === 'video';
  return {
    canAutosub: video,
    sources: {
      requests: {
        languages: ['fra', 'deu', 'jpn', 'spa', 'por', 'ara', 'heb'],
        countries: ['FR', 'DE', 'JP', 'ES', 'MX', 'BR', 'AE', 'IL'],
      },
      autosubs: { languages: video ? ['fra', 'deu', 'spa'] : [], countries: [] },
    },
    access: ['view', 'download', 'request'],
    tags: { online: true, broadcast: video, dcp: video, cmyk: !video, rgb: !video },
    ingest: ['master', 'textless'],
  };
}
