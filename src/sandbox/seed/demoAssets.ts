import { createHash } from 'node:crypto';
import type { Asset } from '../../api/asset.ts';
import type { File } from '../../api/file.ts';
import type { Preview } from '../../api/preview.ts';
import { fromPlain, type JsonObject, toPlain } from '../../json/value.ts';
import { link, linksOf } from '../newRecords.ts';
import type { Kind } from '../recordStore.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

export const toJsonObject = (record: object): JsonObject => fromPlain(record) as JsonObject;

/** Adds the same `$links` as a new record gets. */
export function withLinks<Fields extends { _id: string }>(kind: Kind, fields: Fields) {
  const $links = toPlain(linksOf(kind, fields._id, toJsonObject(fields)));
  return { ...fields, $links: $links as Record<string, string> };
}

export function byId<Item extends { _id?: string }>(items: readonly Item[], id: string): Item {
  const item = items.find(({ _id }) => _id === id);
  if (item === undefined) throw new Error(`the demo data has no ${id}`);
  return item;
}

export const studios = [
  { _id: 's-northlight', name: 'Northlight Pictures', slug: 'northlight-pictures' },
  { _id: 's-kitsune', name: 'Kitsune Animation', slug: 'kitsune-animation' },
].map((studio) => withLinks('Studio', studio));

// The accents of p-cafe are combining characters: some file systems deliver names like that.
// biome-ignore format: a table reads best as one.
const titles = [
  { _id: 'p-harbor', name: 'The Harbor Light', slug: 'the-harbor-light', studio: 's-northlight' },
  { _id: 'p-cafe', name: 'Le Cafe\u0301 des A\u0302mes', slug: 'le-cafe-des-ames', studio: 's-northlight' },
  { _id: 'p-fox', name: '狐の嫁入り', slug: 'the-foxs-wedding', studio: 's-kitsune' },
  { _id: 'p-rocket', name: 'Rocket Pals 🚀: Zero-G 👩‍🚀', slug: 'rocket-pals-zero-g', studio: 's-kitsune' },
];

export const projects = titles.map((title) =>
  withLinks('Project', { ...title, logo: `f-${title._id.slice(2)}-logo` }),
);

const cafe = byId(projects, 'p-cafe').name;

// biome-ignore format: a table reads best as one.
const assets = [
  { number: 1001, project: 'p-harbor', name: 'The Harbor Light – Trailer A', slug: 'harbor-trailer-a', type: 'trailer.intl', phase: 'FINAL', aspectRatio: '2.39:1', ageInDays: 95 },
  { number: 1002, project: 'p-harbor', name: 'The Harbor Light – Trailer B', slug: 'harbor-trailer-b', type: 'trailer.intl', phase: 'LOCK', aspectRatio: '2.39:1', ageInDays: 40 },
  { number: 1003, project: 'p-harbor', name: 'The Harbor Light – Teaser', slug: 'harbor-teaser', type: 'teaser.intl', phase: 'FINAL', aspectRatio: '2.39:1', ageInDays: 150 },
  { number: 1004, project: 'p-harbor', name: 'The Harbor Light – TV Spot 30s “Storm”', slug: 'harbor-tv-30-storm', type: 'tvspot', phase: 'WIP', aspectRatio: '16:9', ageInDays: 12 },
  { number: 1005, project: 'p-harbor', name: 'The Harbor Light – Payoff One-Sheet', slug: 'harbor-one-sheet', type: 'key-art', phase: 'LOCK', aspectRatio: '27:40', ageInDays: 33 },
  { number: 1006, project: 'p-cafe', name: `${cafe} – Trailer`, slug: 'cafe-trailer', type: 'trailer.intl', phase: 'LOCK', aspectRatio: '1.85:1', ageInDays: 51 },
  { number: 1007, project: 'p-cafe', name: `${cafe} – Behind the Counter`, slug: 'cafe-featurette', type: 'promo', phase: 'WIP', aspectRatio: '16:9', ageInDays: 9 },
  { number: 1008, project: 'p-fox', name: '狐の嫁入り 特報', slug: 'fox-teaser', type: 'teaser.intl', phase: 'FINAL', aspectRatio: '1.85:1', ageInDays: 120 },
  { number: 1009, project: 'p-fox', name: '狐の嫁入り 予告編', slug: 'fox-trailer', type: 'trailer.intl', phase: 'WIP', aspectRatio: '1.85:1', ageInDays: 21 },
  { number: 1010, project: 'p-fox', name: '狐の嫁入り – Music Promo', slug: 'fox-music-promo', type: 'promo', phase: 'LOCK', aspectRatio: '16:9', ageInDays: 28 },
  { number: 1011, project: 'p-rocket', name: 'Rocket Pals 🚀 – Animatic Teaser', slug: 'rocket-animatic', type: 'preliminary-production', phase: 'WIP', aspectRatio: '2.39:1', ageInDays: 6 },
  { number: 1012, project: 'p-rocket', name: 'Rocket Pals 🚀 – TV Spot 15s', slug: 'rocket-tv-15', type: 'tvspot', aspectRatio: '16:9', ageInDays: 3 },
];

export const assetPlans = assets.map((plan) => ({
  ...plan,
  _id: `a-${plan.number}`,
  thumbnail: `f-${plan.number}-thumb`,
  studio: byId(projects, plan.project).studio,
  isVideo: plan.type !== 'key-art',
}));

type AssetPlan = (typeof assetPlans)[number];

export function toAsset(plan: AssetPlan, now: number): Asset {
  const { _id, number, studio, project, name, slug, type, thumbnail, isVideo, phase } = plan;
  const theatrical = type.startsWith('trailer') || type.startsWith('teaser');
  return {
    _id,
    studio,
    project,
    name,
    importName: `${slug.replaceAll('-', '_').toUpperCase()}_V${1 + (number % 3)}`,
    slug,
    type,
    mediaType: isVideo ? 'video' : 'graphics',
    usage: {
      broadcast: isVideo,
      online: true,
      dcp: theatrical,
      film35: false,
      film70: false,
      dcp4k: theatrical,
      imax: type === 'trailer.intl',
      atmos: theatrical,
    },
    thumbnail,
    verified: phase !== 'WIP',
    creative: !isVideo,
    previews: cutsOf(plan, now).map(({ _id: id, revision, label, created }) => ({
      _id: id,
      asset: _id,
      created,
      label,
      language: 'eng',
      project,
      revision,
      studio,
      type: isVideo ? 'proxy' : 'image',
      cdn: { domain: 'cdn.media.example', path: `/previews/${id}.mp4`, key: 'DEMO-KEY' },
    })),
    aspectRatio: plan.aspectRatio,
    transcription: { graphics: `tr-${number}` },
    workflow: phase && { id: 'wf-standard', phase, definition: workflowDefinition },
    created: now - plan.ageInDays * day,
    $links: {
      self: link('Asset', _id),
      thumbnail: link('File', thumbnail),
      project: link('Project', project),
      studio: link('Studio', studio),
      type: link('AssetType', type),
    },
    $flags: phase === 'WIP' ? ['work-in-progress'] : [],
    $permissions: {
      canAutosub: isVideo,
      sources: {
        requests: {
          languages: ['fra', 'deu', 'jpn', 'spa', 'por', 'ara', 'heb'],
          countries: ['FR', 'DE', 'JP', 'ES', 'MX', 'BR', 'AE', 'IL'],
        },
        autosubs: { languages: isVideo ? ['fra', 'deu', 'spa'] : [], countries: [] },
      },
      access: ['view', 'download', 'request'],
      tags: { online: true, broadcast: isVideo, dcp: isVideo, cmyk: !isVideo, rgb: !isVideo },
      ingest: ['master', 'textless'],
    },
    $embargo: plan.ageInDays < 10,
    $feedback: { share: 'allowed', vote: 'none', summary: [] },
  };
}

/** Each phase opens more of an asset to the studio. */
const studioAccess = (count: number) => ({
  id: 'g-northlight',
  dng: ['dialogue', 'graphics', 'narration'].slice(0, count),
  usages: ['online', 'broadcast', 'dcp'].slice(0, count),
});
const translatorAccess = { id: 'g-translators', dng: ['dialogue'], usages: ['online'] };

const workflowDefinition = {
  phases: {
    WIP: { groups: [studioAccess(1)], users: ['u-ines', 'u-haruka'], terminal: false },
    LOCK: { groups: [studioAccess(2), translatorAccess], users: ['u-ines'], terminal: false },
    FINAL: { groups: [studioAccess(3)], users: [], terminal: true },
  },
  requireGraphicsApproval: true,
  requireOfflineApproval: false,
};

export const previewsOf = (plan: AssetPlan, now: number): Preview[] =>
  cutsOf(plan, now).map(({ _id, ...cut }) => {
    const { _id: asset, project, studio } = plan;
    const path = signedUrl(`previews/${_id}.mp4`, now);
    return withLinks('Preview', { _id, asset, project, studio, ...cut, path });
  });

/** Every asset has a first cut; older ones have a second. */
function cutsOf({ number, ageInDays }: AssetPlan, now: number) {
  const made = now - ageInDays * day;
  const first = { revision: '1', label: 'First cut', created: made + 2 * hour };
  const second = { revision: '2', label: 'Picture lock', created: made + 9 * day };
  const cuts = ageInDays > 20 ? [first, second] : [first];
  return cuts.map((cut) => ({ _id: `pv-${number}-${cut.revision}`, ...cut }));
}

export function thumbnailOf(plan: AssetPlan, now: number): File {
  const { _id: asset, thumbnail: _id, project, slug, ageInDays } = plan;
  const created = now - ageInDays * day + hour;
  const name = `${slug}-thumbnail.jpg`;
  return toFile({ _id, project, asset, name, mime: 'image/jpeg', tags: ['thumbnail'], created });
}

export function logos(now: number): File[] {
  return projects.map(({ _id: project, slug, logo: _id }, index) => {
    const created = now - (200 - index) * day;
    const name = `${slug}-title-treatment.png`;
    return toFile({ _id, project, name, mime: 'image/png', tags: ['logo'], created });
  });
}

/** The files that a vendor downloads to work on an asset. */
export function deliverablesOf(plan: AssetPlan, now: number): File[] {
  const { _id: asset, number, slug, isVideo, ageInDays, project } = plan;
  const nameByTag = isVideo
    ? {
        master: `${slug}_ProRes422HQ_2398_51.mov`,
        textless: `${slug}_textless_ProRes422HQ.mov`,
        script: `${slug}_spotting list (eng).pdf`,
        'm-and-e': `${slug}_M&E_51_48k24b.wav`,
      }
    : { layered: `${slug}_layered_CMYK.psd`, flat: `${slug}_flat_RGB.tif` };
  const embargoEnd = ageInDays < 10 ? now + 14 * day : undefined;
  return Object.entries(nameByTag).map(([tag, name], index) => {
    const tags = [tag, isVideo ? 'video' : 'graphics'];
    const created = now - ageInDays * day + (index + 3) * hour;
    return toFile({ _id: `f-${number}-${tag}`, project, asset, name, tags, created, embargoEnd });
  });
}

interface FilePlan extends File {
  _id: string;
  project: string;
  mime?: string;
  embargoEnd?: number;
}

function toFile({ _id, project, asset, name, mime, tags, created, embargoEnd }: FilePlan): File {
  const { studio, slug } = byId(projects, project);
  const image = mime && {
    mime,
    bucket: 'thumbnails',
    chunkSize: 261_120,
    length: 40_000 + 977 * _id.length,
    md5: createHash('md5').update(_id).digest('hex'),
    uploadDate: created,
  };
  const origin = { _id, studio, project, asset, name };
  const fields = {
    ...origin,
    language: 'eng',
    country: 'US',
    tags,
    path: `/${studio.slice(2)}/${slug}/${name}`,
    verified: true,
    embargo: { event: embargoEnd !== undefined, end: embargoEnd },
    warnings: [],
    aspera: { username: 'demo-transfer' },
    created,
    $flags: [],
  };
  return { ...withLinks('File', fields), $aspera: { downloaded: false }, ...image };
}

/** Has the form of a signed CDN URL, but the signature is fake. */
export const signedUrl = (path: string, now: number): string =>
  `https://cdn.media.example/${path}?Expires=${Math.floor((now + day) / 1000)}` +
  '&Signature=ZGVtby1zaWduYXR1cmU_&Key-Pair-Id=DEMO-KEY';
