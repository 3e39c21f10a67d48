import { frameRateNames, parseFrameRate } from '../../src/subtitles/frameRate.ts';
import { limitsFor } from '../../src/subtitles/lint/limits.ts';
import {
  type Audience,
  audiences,
  type GuideSource,
  gapGuide,
  generalGuide,
  guideTitle,
  languageGuides,
} from '../../src/subtitles/lint/limitTable.ts';

const start = '<!-- Generated from src/subtitles/lint/limitTable.ts by npm run generate -->';
const end = '<!-- End of the generated part -->';

/** The page with its tables of limits written anew. */
export function withLimitTables(page: string): string {
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`docs/subtitles.md lacks "${start}"`);
  return `${page.slice(0, before)}${start}\n\n${limitTables()}\n\n${page.slice(after)}`;
}

const limitTables = () => [speedTable(), sourceTable(), gapTable()].join('\n\n');

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, at) =>
    Math.max(...[header, ...rows].map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [
    line(header),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map(line),
  ].join('\n');
}

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

const speedTable = () =>
  table(
    ['Language', ...Object.values(audiences), 'Width', 'Shortest', 'Italics'],
    languageGuides.map((guide) => [
      guide.language,
      ...(Object.keys(audiences) as Audience[]).map((audience) => String(guide.speed[audience])),
      `${guide.width}${guide.countsFullWidth ? ' full-width' : ''}`,
      seconds(guide.minDuration ?? generalGuide.minDuration),
      guide.hasItalics ? 'yes' : 'no',
    ]),
  );

function sourceTable(): string {
  const link = ({ url }: GuideSource) => `[${guideTitle(url)}](${url})`;
  const rows: [string, GuideSource, string][] = [
    ...languageGuides.map(({ language, source, confirmed }): [string, GuideSource, string] => [
      language,
      source,
      confirmed,
    ]),
    ['gaps', gapGuide.source, 'all'],
  ];
  return table(
    ['Limits', 'Guide', 'Read', 'Confirmed in the guide'],
    rows.map(([name, source, confirmed]) => [name, link(source), source.read, confirmed]),
  );
}

const gapTable = () =>
  table(
    ['`--fps`', 'Smallest gap', 'Gaps to close'],
    frameRateNames.map((name) => {
      const { minGap = 0, closedGaps } = limitsFor({ frameRate: parseFrameRate(name, '--fps') });
      const closed = closedGaps ? `${seconds(closedGaps.from)} to ${seconds(closedGaps.to)}` : '';
      return [name, seconds(minGap), closed];
    }),
  );
