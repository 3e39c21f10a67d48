import {
  type Audience,
  audiences,
  bbcGuide,
  type Limits,
  languageGuides,
} from '../../src/modules/subtitles/check/guideLimits.ts';
import { limitsFor } from '../../src/modules/subtitles/check/presets.ts';
import { frameRateNamed, frameRateNames } from '../../src/modules/subtitles/timecode.ts';
import { table, withGenerated } from './markdown.ts';

/** The page with its tables of limits written anew. */
export const withLimitTables = (page: string): string =>
  withGenerated(page, 'src/modules/subtitles/check/guideLimits.ts', limitTables());

const limitTables = () => [presetTable(), speedTable(), gapTable()].join('\n\n');

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

/** The limits of each preset, with the flags that replace them. */
function presetTable(): string {
  const rows: [string, (limits: Limits) => string | number | undefined][] = [
    ['--max-width', ({ maxWidth }) => maxWidth],
    ['--max-lines', ({ maxLines }) => maxLines],
    ['--max-cps', ({ maxSpeed }) => maxSpeed],
    ['--max-wpm', ({ maxWords }) => maxWords],
    ['--min-duration', ({ minDuration }) => minDuration && seconds(minDuration)],
    ['--max-duration', ({ maxDuration }) => maxDuration && seconds(maxDuration)],
    [
      '--min-gap',
      ({ minGap = 0, mayTouch }) => `${seconds(minGap)}${mayTouch ? ', or none at all' : ''}`,
    ],
  ];
  const presets = (['netflix', 'bbc'] as const).map((preset) => limitsFor({ preset }));
  return table(
    ['Flag', '`netflix` (default)', `[\`bbc\`](${bbcGuide.url})`],
    rows.map(([flag, read]) => [
      `\`${flag}\``,
      ...presets.map((limits) => String(read(limits) ?? '')),
    ]),
  );
}

const speedTable = () =>
  table(
    ['Language', ...Object.values(audiences), 'Width', 'Shortest', 'Italics'],
    languageGuides.map(({ language, speed, limits, source }) => [
      `[${language}](${source.url})`,
      ...(Object.keys(audiences) as Audience[]).map((audience) => String(speed[audience])),
      `${limits.maxWidth}${limits.countsFullWidth ? ' full-width' : ''}`,
      seconds(limits.minDuration),
      limits.forbidsItalics ? 'no' : 'yes',
    ]),
  );

const gapTable = () =>
  table(
    ['`--fps`', 'Smallest gap', 'Gaps to close'],
    frameRateNames.map((name) => {
      const { minGap = 0, closedGaps } = limitsFor({ frameRate: frameRateNamed(name) });
      const closed = closedGaps ? `${seconds(closedGaps.from)} to ${seconds(closedGaps.to)}` : '';
      return [name, seconds(minGap), closed];
    }),
  );
