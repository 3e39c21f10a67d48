import { formatSeconds } from '../timecode.ts';
import * as checks from './checks.ts';
import { gapGuide, generalGuide, type LanguageGuide, type Limits } from './guideLimits.ts';

/** CONTRIBUTING.md has the steps to add one. Its name is what users see in `--json`. */
interface ListedRule {
  title: string;
  check: checks.Check;
  /** Undefined if the rule is not applied. Rules without this have no limit, and always apply. */
  limit?(limits: Limits): string | undefined;
  netflix?(guide: LanguageGuide): LanguageGuide['source'];
  isFixable?: true;
}

const ofLanguage = ({ source }: LanguageGuide) => source;
const list = (...parts: (string | undefined | false | 0)[]) =>
  parts.filter(Boolean).join('; ') || undefined;

const table = {
  // The reader of a file finds these.
  file: { title: 'Structure of the file', check: () => [] },
  timecode: { title: 'Timecodes', check: checks.timecodes },
  duration: {
    title: 'Duration',
    check: checks.durations,
    limit: ({ minDuration, maxDuration }) =>
      list(
        'stops after it starts',
        minDuration !== undefined && `at least ${formatSeconds(minDuration)}`,
        maxDuration !== undefined && `at most ${formatSeconds(maxDuration)}`,
      ),
    netflix: (guide) =>
      (guide.limits.minDuration === generalGuide.limits.minDuration ? generalGuide : guide).source,
    isFixable: true,
  },
  order: { title: 'Order', check: checks.order },
  overlap: {
    title: 'Overlaps',
    check: checks.overlaps,
    netflix: () => gapGuide.source,
    isFixable: true,
  },
  gap: {
    title: 'Gaps',
    check: checks.gaps,
    limit: ({ minGap, closedGaps, mayTouch }) =>
      list(
        minGap !== undefined && `at least ${formatSeconds(minGap)}${mayTouch ? ', or none' : ''}`,
        closedGaps &&
          `none of ${formatSeconds(closedGaps.from)} to ${formatSeconds(closedGaps.to)}`,
      ),
    netflix: () => gapGuide.source,
    isFixable: true,
  },
  number: { title: 'Numbers', check: checks.numbers, isFixable: true },
  empty: { title: 'Empty lines', check: checks.emptyText },
  characters: { title: 'Characters', check: checks.characters },
  tags: { title: 'Tags', check: checks.tags },
  'line-length': {
    title: 'Line length',
    check: checks.lineLength,
    limit: ({ maxWidth, countsFullWidth }) =>
      list(
        maxWidth && `at most ${maxWidth} ${countsFullWidth ? 'full-width characters' : 'columns'}`,
      ),
    netflix: ofLanguage,
    isFixable: true,
  },
  'line-count': {
    title: 'Number of lines',
    check: checks.lineCount,
    limit: ({ maxLines }) => (maxLines === undefined ? undefined : `at most ${maxLines}`),
    netflix: () => generalGuide.source,
    isFixable: true,
  },
  speed: {
    title: 'Reading speed',
    check: checks.readingSpeed,
    limit: ({ maxSpeed, maxWords }) =>
      list(
        maxSpeed && `at most ${maxSpeed} characters per second`,
        maxWords && `at most ${maxWords} words per minute`,
      ),
    netflix: ofLanguage,
    isFixable: true,
  },
  italics: {
    title: 'Italics',
    check: checks.italics,
    limit: ({ forbidsItalics }) => (forbidsItalics ? 'none in this language' : undefined),
    netflix: ofLanguage,
  },
  ellipsis: {
    title: 'Ellipses',
    check: checks.ellipsis,
    limit: ({ usesEllipsis }) => (usesEllipsis ? 'the character …' : undefined),
    netflix: ofLanguage,
    isFixable: true,
  },
  dash: {
    title: 'Dashes of two speakers',
    check: checks.dash,
    limit: ({ dash }) =>
      dash && `"${dash.text}" before ${dash.isOnlySecond ? 'the second speaker' : 'each line'}`,
    netflix: ofLanguage,
    isFixable: true,
  },
  spaces: {
    title: 'Spaces',
    check: checks.spaces,
    limit: ({ usesSingleSpaces }) => (usesSingleSpaces ? 'one between words' : undefined),
    netflix: () => generalGuide.source,
    isFixable: true,
  },
  language: { title: 'Language', check: checks.language },
  // Found when all files are known.
  delivery: { title: 'Delivery', check: () => [] },
} satisfies Record<string, ListedRule>;

export type RuleName = keyof typeof table;
export const rules: Readonly<Record<RuleName, ListedRule>> = table;
export const ruleNames = Object.keys(rules) as RuleName[];
