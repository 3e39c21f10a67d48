import type { Asset } from '../../api/asset.ts';
import type { Preview } from '../../api/preview.ts';
import { link } from '../links.ts';
import { type AssetPlan, assetId } from './assetPlans.ts';
import { projectOf } from './studios.ts';
import { day, hour } from './time.ts';

interface Take {
  id: string;
  revision: string;
  label: string;
  created: number;
}

/** Revisions of a cut: every asset has one, the older ones two. */
function takesOf({ number, age }: AssetPlan, now: number): Take[] {
  const first = {
    id: `pv-${number}-1`,
    revision: '1',
    label: 'First cut',
    created: now - age * day + 2 * hour,
  };
  const second = {
    id: `pv-${number}-2`,
    revision: '2',
    label: 'Picture lock',
    created: now - age * day + 9 * day,
  };
  return age > 20 ? [first, second] : [first];
}

export function embeddedPreviewsOf(plan: AssetPlan, now: number): NonNullable<Asset['previews']> {
  const { studio } = projectOf(plan.project);
  return takesOf(plan, now).map(({ id, revision, label, created }) => ({
    _id: id,
    asset: assetId(plan),
    created,
    label,
    language: 'eng',
    project: plan.project,
    revision,
    studio,
    type: plan.mediaType === 'video' ? 'proxy' : 'image',
    cdn: { domain: 'cdn.media.example', path: `/previews/${id}.mp4`, key: 'DEMO-KEY' },
  }));
}

export function previewsOf(plan: AssetPlan, now: number): Preview[] {
  const asset = assetId(plan);
  const { studio } = projectOf(plan.project);
  return takesOf(plan, now).map(({ id, revision, label, created }) => ({
    _id: id,
    asset,
    project: plan.project,
    studio,
    revision,
    label,
    created,
    path: signedUrl(`previews/${id}.mp4`, now),
    $links: {
      self: link('Preview', id),
      asset: link('Asset', asset),
      project: link('Project', plan.project),
      studio: link('Studio', studio),
    },
  }));
}

/** Shaped like a URL that opens a file to whoever has it; this one opens nothing. */
export const signedUrl = (path: string, now: number): string =>
  `https://cdn.media.example/${path}?Expires=${Math.floor((now + day) / 1000)}` +
  '&Signature=ZGVtby1zaWduYXR1cmU_&Key-Pair-Id=DEMO-KEY';
