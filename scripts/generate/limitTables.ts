import {
  type Audience,
  audiences,
  gapGuide,
  languageGuides,
} from '../../src/subtitles/check/guideLimits.ts';
import { limitsFor } from '../../src/subtitles/check/presets.ts';
import { frameRateNamed, frameRateNames } from '../../src/subtitles/timecode.ts';
import { table, withGenerated } from './markdown.ts';

/** The page with its tables of limits written anew. */
export const withLimitTables = (page: string): string =>
  withGenerated(page, 'src/subtitles/check/guideLimits.ts', limitTables());

const limitTables = () => [speedTable(), gapTable()].join('\n\n');

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

const speedTable = () =>
  table(
    [
      ...['Language', ...Object.values(audiences), 'Width', 'Shortest', 'Italics'],
      ...['Read', 'Confirmed'],
    ],
    languageGuides.map(({ language, speed, limits, source, confirmed }) => [
      `[${language}](${source.url})`,
      ...(Object.keys(audiences) as Audience[]).map((audience) => String(speed[audience])),
      `${limits.maxWidth}${limits.countsFullWidth ? ' full-width' : ''}`,
      seconds(limits.minDuration),
      limits.forbidsItalics ? 'no' : 'yes',
      source.read,
      confirmed,
    ]),
  );

const gapTable = () =>
  table(
    ['`--fps`', `[Smallest gap](${gapGuide.source.url})`, 'Gaps to close'],
    frameRateNames.map((name) => {
      const { minGap = 0, closedGaps } = limitsFor({ frameRate: frameRateNamed(name) });
      const closed = closedGaps ? `${seconds(closedGaps.from)} to ${seconds(closedGaps.to)}` : '';
      return [name, seconds(minGap), closed];
    }),
  );
