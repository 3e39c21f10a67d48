import type { CheckedSubtitles, RuleName } from '../check/check.ts';
import {
  bbcGuideUrl,
  type GuideSource,
  gapGuide,
  generalGuide,
  guideTitle,
  type LanguageGuide,
} from '../check/guides.ts';
import { guideFor, type Limits } from '../check/limits.ts';
import { formatSeconds } from '../timecode.ts';

/* What a report says about each rule of `check`: its title, its limit and the guide behind it. */

interface ReportedRule {
  title: string;
  /** Undefined if the rule is not applied. Rules without this have no limit, and always apply. */
  limit?(limits: Limits): string | undefined;
  /** The limits that a flag may replace. */
  limits?: readonly (keyof Limits)[];
  netflix?(guide: LanguageGuide): GuideSource;
  isInBbcGuide?: true;
  isAboutFormat?: true;
}

const ofLanguage = ({ source }: LanguageGuide) => source;
const list = (...parts: (string | undefined | false)[]) =>
  parts.filter(Boolean).join('; ') || undefined;

export const reportedRules: Readonly<Record<RuleName, ReportedRule>> = {
  file: { title: 'Structure of the file', isAboutFormat: true },
  timecode: { title: 'Timecodes', isAboutFormat: true },
  duration: {
    title: 'Duration',
    limit: ({ minDuration, maxDuration }) =>
      list(
        'stops after it starts',
        minDuration !== undefined && `at least ${formatSeconds(minDuration)}`,
        maxDuration !== undefined && `at most ${formatSeconds(maxDuration)}`,
      ),
    limits: ['minDuration', 'maxDuration'],
    netflix: (guide) => (guide.minDuration ? guide.source : generalGuide.source),
  },
  order: { title: 'Order' },
  overlap: { title: 'Overlaps', netflix: () => gapGuide.source },
  gap: {
    title: 'Gaps',
    limit: ({ minGap, closedGaps, mayTouch }) =>
      minGap === undefined
        ? undefined
        : list(
            `at least ${formatSeconds(minGap)}${mayTouch ? ', or none' : ''}`,
            closedGaps &&
              `none of ${formatSeconds(closedGaps.from)} to ${formatSeconds(closedGaps.to)}`,
          ),
    limits: ['minGap'],
    netflix: () => gapGuide.source,
    isInBbcGuide: true,
  },
  number: { title: 'Numbers' },
  empty: { title: 'Empty lines' },
  tags: { title: 'Tags', isAboutFormat: true },
  'line-length': {
    title: 'Line length',
    limit: ({ maxWidth, countsFullWidth }) =>
      maxWidth === undefined
        ? undefined
        : `at most ${maxWidth} ${countsFullWidth ? 'full-width characters' : 'columns'}`,
    limits: ['maxWidth'],
    netflix: ofLanguage,
    isInBbcGuide: true,
  },
  'line-count': {
    title: 'Number of lines',
    limit: ({ maxLines }) => (maxLines === undefined ? undefined : `at most ${maxLines}`),
    limits: ['maxLines'],
    netflix: () => generalGuide.source,
    isInBbcGuide: true,
  },
  speed: {
    title: 'Reading speed',
    limit: ({ maxSpeed, maxWords }) =>
      list(
        maxSpeed !== undefined && `at most ${maxSpeed} characters per second`,
        maxWords !== undefined && `at most ${maxWords} words per minute`,
      ),
    limits: ['maxSpeed', 'maxWords'],
    netflix: ofLanguage,
    isInBbcGuide: true,
  },
  italics: {
    title: 'Italics',
    limit: ({ forbidsItalics }) => (forbidsItalics ? 'none in this language' : undefined),
    netflix: ofLanguage,
  },
  ellipsis: {
    title: 'Ellipses',
    limit: ({ usesEllipsis }) => (usesEllipsis ? 'the character …' : undefined),
    netflix: ofLanguage,
  },
  dash: {
    title: 'Dashes of two speakers',
    limit: ({ dash }) => (dash === undefined ? undefined : `"${dash}" before each line`),
    netflix: ofLanguage,
  },
  spaces: {
    title: 'Spaces',
    limit: ({ usesSingleSpaces }) => (usesSingleSpaces ? 'one between words' : undefined),
    netflix: () => generalGuide.source,
    isInBbcGuide: true,
  },
  language: { title: 'Script of the language' },
};

/** Every address in a report is one of ours: none comes from a file or from the service. */
export function guideOf(rule: RuleName, checked: CheckedSubtitles) {
  const { isAboutFormat, isInBbcGuide, netflix } = reportedRules[rule];
  const { preset, language } = checked;
  const { specification } = checked.subtitles.format ?? {};
  if (isAboutFormat && specification) return specification;
  if (preset === 'bbc' && isInBbcGuide) {
    return { name: 'BBC Subtitle Guidelines', url: bbcGuideUrl };
  }
  if (preset !== 'netflix' || !netflix) return undefined;
  const { url } = netflix(guideFor(language));
  return { name: `Netflix ${guideTitle(url)}`, url };
}
