import type { Asset } from '../../api/asset.ts';
import type { Preview } from '../../api/preview.ts';
import { link } from '../newRecords.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

export const studios = [
  { _id: 's-northlight', name: 'Northlight Pictures', slug: 'northlight-pictures' },
  { _id: 's-kitsune', name: 'Kitsune Animation', slug: 'kitsune-animation' },
].map((studio) => ({ ...studio, $links: { self: link('Studio', studio._id) } }));

// The accents of p-cafe are combining characters: some file systems deliver names like that.
// biome-ignore format: a table reads best as one.
const titles = [
  { _id: 'p-harbor', name: 'The Harbor Light', slug: 'the-harbor-light', studio: 's-northlight' },
  { _id: 'p-cafe', name: 'Le Cafe\u0301 des A\u0302mes', slug: 'le-cafe-des-ames', studio: 's-northlight' },
  { _id: 'p-fox', name: '狐の嫁入り', slug: 'the-foxs-wedding', studio: 's-kitsune' },
  { _id: 'p-rocket', name: 'Rocket Pals 🚀: Zero-G 👩‍🚀', slug: 'rocket-pals-zero-g', studio: 's-kitsune' },
] as const;

export type ProjectId = (typeof titles)[number]['_id'];

export const projects = titles.map((title) => ({
  ...title,
  logo: `f-${title._id.slice(2)}-logo`,
  $links: { self: link('Project', title._id) },
}));

export function projectOf(id: ProjectId): (typeof projects)[number] {
  const project = projects.find(({ _id }) => _id === id);
  if (project === undefined) throw new Error(`the demo data has no project ${id}`);
  return project;
}

/** The fields that differ from one demo asset to the next. */
export interface AssetPlan {
  number: number;
  project: ProjectId;
  name: string;
  slug: string;
  type: string;
  mediaType: 'video' | 'graphics';
  phase?: 'WIP' | 'LOCK' | 'FINAL';
  aspectRatio: string;
  ageInDays: number;
}

const cafe = projectOf('p-cafe').name;

// biome-ignore format: a table reads best as one.
export const assetPlans: readonly AssetPlan[] = [
  { number: 1001, project: 'p-harbor', name: 'The Harbor Light – Trailer A', slug: 'harbor-trailer-a', type: 'trailer.intl', mediaType: 'video', phase: 'FINAL', aspectRatio: '2.39:1', ageInDays: 95 },
  { number: 1002, project: 'p-harbor', name: 'The Harbor Light – Trailer B', slug: 'harbor-trailer-b', type: 'trailer.intl', mediaType: 'video', phase: 'LOCK', aspectRatio: '2.39:1', ageInDays: 40 },
  { number: 1003, project: 'p-harbor', name: 'The Harbor Light – Teaser', slug: 'harbor-teaser', type: 'teaser.intl', mediaType: 'video', phase: 'FINAL', aspectRatio: '2.39:1', ageInDays: 150 },
  { number: 1004, project: 'p-harbor', name: 'The Harbor Light – TV Spot 30s “Storm”', slug: 'harbor-tv-30-storm', type: 'tvspot', mediaType: 'video', phase: 'WIP', aspectRatio: '16:9', ageInDays: 12 },
  { number: 1005, project: 'p-harbor', name: 'The Harbor Light – Payoff One-Sheet', slug: 'harbor-one-sheet', type: 'key-art', mediaType: 'graphics', phase: 'LOCK', aspectRatio: '27:40', ageInDays: 33 },
  { number: 1006, project: 'p-cafe', name: `${cafe} – Trailer`, slug: 'cafe-trailer', type: 'trailer.intl', mediaType: 'video', phase: 'LOCK', aspectRatio: '1.85:1', ageInDays: 51 },
  { number: 1007, project: 'p-cafe', name: `${cafe} – Behind the Counter`, slug: 'cafe-featurette', type: 'promo', mediaType: 'video', phase: 'WIP', aspectRatio: '16:9', ageInDays: 9 },
  { number: 1008, project: 'p-fox', name: '狐の嫁入り 特報', slug: 'fox-teaser', type: 'teaser.intl', mediaType: 'video', phase: 'FINAL', aspectRatio: '1.85:1', ageInDays: 120 },
  { number: 1009, project: 'p-fox', name: '狐の嫁入り 予告編', slug: 'fox-trailer', type: 'trailer.intl', mediaType: 'video', phase: 'WIP', aspectRatio: '1.85:1', ageInDays: 21 },
  { number: 1010, project: 'p-fox', name: '狐の嫁入り – Music Promo', slug: 'fox-music-promo', type: 'promo', mediaType: 'video', phase: 'LOCK', aspectRatio: '16:9', ageInDays: 28 },
  { number: 1011, project: 'p-rocket', name: 'Rocket Pals 🚀 – Animatic Teaser', slug: 'rocket-animatic', type: 'preliminary-production', mediaType: 'video', phase: 'WIP', aspectRatio: '2.39:1', ageInDays: 6 },
  { number: 1012, project: 'p-rocket', name: 'Rocket Pals 🚀 – TV Spot 15s', slug: 'rocket-tv-15', type: 'tvspot', mediaType: 'video', aspectRatio: '16:9', ageInDays: 3 },
];

export const assetId = ({ number }: AssetPlan): string => `a-${number}`;
export const thumbnailId = ({ number }: AssetPlan): string => `f-${number}-thumb`;

export function toAsset(plan: AssetPlan, now: number): Asset {
  const { project, name, slug, type, mediaType, phase, aspectRatio, ageInDays } = plan;
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
    ...(phase && { workflow: { id: 'wf-standard', phase, definition: workflowDefinition } }),
    created: now - ageInDays * day,
    $links: {
      self: link('Asset', id),
      thumbnail: link('File', thumbnailId(plan)),
      project: link('Project', project),
      studio: link('Studio', studio),
      type: link('AssetType', type),
    },
    $flags: phase === 'WIP' ? ['work-in-progress'] : [],
    $permissions: permissionsOf(plan),
    $embargo: ageInDays < 10,
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

const workflowDefinition = {
  phases: {
    WIP: {
      groups: [{ id: 'g-northlight', dng: ['dialogue'], usages: ['online'] }],
      users: ['u-ines', 'u-haruka'],
      terminal: false,
    },
    LOCK: {
      groups: [
        { id: 'g-northlight', dng: ['dialogue', 'graphics'], usages: ['online', 'broadcast'] },
        { id: 'g-translators', dng: ['dialogue'], usages: ['online'] },
      ],
      users: ['u-ines'],
      terminal: false,
    },
    FINAL: {
      groups: [
        {
          id: 'g-northlight',
          dng: ['dialogue', 'graphics', 'narration'],
          usages: ['online', 'broadcast', 'dcp'],
        },
      ],
      users: [],
      terminal: true,
    },
  },
  requireGraphicsApproval: true,
  requireOfflineApproval: false,
};

function embeddedPreviewsOf(plan: AssetPlan, now: number): NonNullable<Asset['previews']> {
  return cutsOf(plan, now).map(({ id, revision, label, created }) => ({
    _id: id,
    asset: assetId(plan),
    created,
    label,
    language: 'eng',
    project: plan.project,
    revision,
    studio: projectOf(plan.project).studio,
    type: plan.mediaType === 'video' ? 'proxy' : 'image',
    cdn: { domain: 'cdn.media.example', path: `/previews/${id}.mp4`, key: 'DEMO-KEY' },
  }));
}

export function previewsOf(plan: AssetPlan, now: number): Preview[] {
  const asset = assetId(plan);
  const { studio } = projectOf(plan.project);
  return cutsOf(plan, now).map(({ id, revision, label, created }) => ({
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

/** Every asset has a first cut; older ones have a second. */
function cutsOf({ number, ageInDays }: AssetPlan, now: number) {
  const made = now - ageInDays * day;
  const first = { revision: '1', label: 'First cut', created: made + 2 * hour };
  const second = { revision: '2', label: 'Picture lock', created: made + 9 * day };
  return (ageInDays > 20 ? [first, second] : [first]).map((cut) => ({
    id: `pv-${number}-${cut.revision}`,
    ...cut,
  }));
}

/** Has the form of a signed CDN URL, but the signature is fake. */
export const signedUrl = (path: string, now: number): string =>
  `https://cdn.media.example/${path}?Expires=${Math.floor((now + day) / 1000)}` +
  '&Signature=ZGVtby1zaWduYXR1cmU_&Key-Pair-Id=DEMO-KEY';
