/* Subtitles: lines of a translation, or cues of a file. Knows no service. */

// Checks by the limits of a style guide, and fixes.
export {
  type CheckedSubtitles,
  checkSubtitles,
  countsOf,
  countText,
  type Finding,
  languageError,
} from './check/check.ts';
export { numberOf } from './check/checks.ts';
export type { Limits } from './check/guideLimits.ts';
export { defaultPreset, limitsFor, presetNames } from './check/presets.ts';
export { rules } from './check/rules.ts';
export { addDeliveryFinding, type Summary, summarise } from './check/summary.ts';
// Differences between two versions, and between two languages.
export { type Change, changesBetween, comparableText } from './compare/difference.ts';
export { type Comparison, compareTranslations } from './compare/languages.ts';
export { compareFiles } from './compare/set.ts';
export { diffOf, type FixedSubtitles, fixSubtitles, unchanged } from './fix/fix.ts';
// File formats: their registry, and writing.
export { encodedLike } from './formats/encoding.ts';
export * as registry from './formats/registry.ts';
// Subtitles, and how they are read.
export { type Line, startOf } from './line.ts';
export { lineRecords, printSubtitles } from './print.ts';
// The page of a check.
export { reportBody, reportPage } from './report/page.ts';
export { plainText } from './spans.ts';
export { fileReader, maxFileBytes, nounOf, readTranslation, type Subtitles } from './subtitles.ts';
export { assumedFrameRate, type FrameRate, formatSeconds, frameRateNamed } from './timecode.ts';
