import { type ProjectId, projectOf } from './studios.ts';

/** What tells one demo asset from another. */
export interface AssetPlan {
  number: number;
  project: ProjectId;
  name: string;
  slug: string;
  type: string;
  mediaType: 'video' | 'graphics';
  phase?: 'WIP' | 'LOCK' | 'FINAL';
  aspectRatio: string;
  /** Made so many days ago. */
  age: number;
}

const cafe = projectOf('p-cafe').name;

// biome-ignore format: a table reads best as one.
export const assetPlans: readonly AssetPlan[] = [
  { number: 1001, project: 'p-harbor', name: 'The Harbor Light – Trailer A', slug: 'harbor-trailer-a', type: 'trailer.intl', mediaType: 'video', phase: 'FINAL', aspectRatio: '2.39:1', age: 95 },
  { number: 1002, project: 'p-harbor', name: 'The Harbor Light – Trailer B', slug: 'harbor-trailer-b', type: 'trailer.intl', mediaType: 'video', phase: 'LOCK', aspectRatio: '2.39:1', age: 40 },
  { number: 1003, project: 'p-harbor', name: 'The Harbor Light – Teaser', slug: 'harbor-teaser', type: 'teaser.intl', mediaType: 'video', phase: 'FINAL', aspectRatio: '2.39:1', age: 150 },
  { number: 1004, project: 'p-harbor', name: 'The Harbor Light – TV Spot 30s “Storm”', slug: 'harbor-tv-30-storm', type: 'tvspot', mediaType: 'video', phase: 'WIP', aspectRatio: '16:9', age: 12 },
  { number: 1005, project: 'p-harbor', name: 'The Harbor Light – Payoff One-Sheet', slug: 'harbor-one-sheet', type: 'key-art', mediaType: 'graphics', phase: 'LOCK', aspectRatio: '27:40', age: 33 },
  { number: 1006, project: 'p-cafe', name: `${cafe} – Trailer`, slug: 'cafe-trailer', type: 'trailer.intl', mediaType: 'video', phase: 'LOCK', aspectRatio: '1.85:1', age: 51 },
  { number: 1007, project: 'p-cafe', name: `${cafe} – Behind the Counter`, slug: 'cafe-featurette', type: 'promo', mediaType: 'video', phase: 'WIP', aspectRatio: '16:9', age: 9 },
  { number: 1008, project: 'p-fox', name: '狐の嫁入り 特報', slug: 'fox-teaser', type: 'teaser.intl', mediaType: 'video', phase: 'FINAL', aspectRatio: '1.85:1', age: 120 },
  { number: 1009, project: 'p-fox', name: '狐の嫁入り 予告編', slug: 'fox-trailer', type: 'trailer.intl', mediaType: 'video', phase: 'WIP', aspectRatio: '1.85:1', age: 21 },
  { number: 1010, project: 'p-fox', name: '狐の嫁入り – Music Promo', slug: 'fox-music-promo', type: 'promo', mediaType: 'video', phase: 'LOCK', aspectRatio: '16:9', age: 28 },
  { number: 1011, project: 'p-rocket', name: 'Rocket Pals 🚀 – Animatic Teaser', slug: 'rocket-animatic', type: 'preliminary-production', mediaType: 'video', phase: 'WIP', aspectRatio: '2.39:1', age: 6 },
  { number: 1012, project: 'p-rocket', name: 'Rocket Pals 🚀 – TV Spot 15s', slug: 'rocket-tv-15', type: 'tvspot', mediaType: 'video', aspectRatio: '16:9', age: 3 },
];

export const assetId = ({ number }: AssetPlan): string => `a-${number}`;
export const thumbnailId = ({ number }: AssetPlan): string => `f-${number}-thumb`;
