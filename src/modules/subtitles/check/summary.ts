import { textAt } from '../../../core/json/fields.ts';
import { isSentence, wordsOf } from '../compare/languages.ts';
import { agree } from '../languages/language.ts';
import { fileNameFacts } from '../languages/languageOfName.ts';
import { sortedByStart, startOf } from '../line.ts';
import { type CheckedSubtitles, countsOf, type Finding } from './check.ts';
import { guideName } from './presets.ts';

/** A finding as `check --json` prints it. */
export interface EarlierFinding {
  rule: string;
  severity: string;
  startTime: string | null;
  text: string;
  message: string;
}

/** The facts that are kept of subtitles that were checked: a delivery may have hundreds of files. */
export interface Summary extends ReturnType<typeof summarise> {
  /** The same file of an earlier delivery, and what was found only in that. */
  earlier?: { against: string | null; fixed: Set<EarlierFinding> };
}

/** The first ones are enough to recognise a copy. */
const maxSentences = 100;

/** `label` names the file in a table of its delivery. */
export function summarise(checked: CheckedSubtitles, label: string) {
  const { subtitles } = checked;
  const { name, format, claims, lines, request } = subtitles;
  const asset = textAt(request?.record.value, 'asset.name');
  const facts = factsOf(checked);
  const nameFacts = fileNameFacts(name, (own) => claims.some(({ code }) => agree(code, own)));
  const sentences = lines.slice(0, maxSentences).map(wordsOf).filter(isSentence);
  return {
    ...{ name, label, format, claims, request, facts, nameFacts },
    /** For people: `Trailer 1 (wr-2009)`, or the name of a file. */
    heading: asset === '' ? name : `${asset} (${name})`,
    cues: lines.length,
    takenFor: format || request ? takenFor(facts) : '',
    starts: Float64Array.from(sortedByStart(lines), startOf),
    sentences: new Set(sentences.map((words) => words.join(' '))),
    ...countsOf(checked.findings),
    findings: [...checked.findings],
  };
}

/** Adds a finding about a file as a part of its delivery. */
export function addDeliveryFinding(
  summary: Summary,
  message: string,
  severity: Finding['severity'] = 'error',
): void {
  summary.findings.push({ rule: 'delivery', severity, message, place: 1, text: '' });
  summary[severity === 'error' ? 'errors' : 'warnings'] += 1;
}

/** How many findings are fixed, still there and new; undefined if nothing was compared. */
export function changesIn(files: readonly Summary[]) {
  if (files.every(({ earlier }) => !earlier)) return undefined;
  const states = files.flatMap(({ findings }) => findings.map(({ state }) => state));
  return {
    fixed: files.reduce((sum, { earlier }) => sum + (earlier?.fixed.size ?? 0), 0),
    remaining: states.filter((state) => state === 'remaining').length,
    new: states.filter((state) => state === 'new').length,
  };
}

export function changesText(files: readonly Summary[]): string | undefined {
  const found = changesIn(files);
  return found && `${found.fixed} fixed, ${found.remaining} still there, ${found.new} new`;
}

/** Language, format, encoding, guide and frame rate, each with its source. */
const factsOf = ({ subtitles, frameRate, preset, hasLittleText }: CheckedSubtitles) => ({
  language: subtitles.language ?? null,
  languageFrom: subtitles.claims[0]?.by ?? null,
  hasLittleText,
  format: subtitles.format?.title ?? null,
  encoding: subtitles.file?.encoding ?? null,
  encodingFrom: subtitles.file?.isNamed ? '--encoding' : null,
  frameRate: frameRate.name,
  frameRateFrom: frameRate.from,
  guide: guideName(preset, subtitles.language) ?? null,
});

/** `fr (name), SRT, utf-8, Netflix: others, 24 fps (assumed)`. */
function takenFor({ language, format, encoding, guide, ...facts }: ReturnType<typeof factsOf>) {
  const from = (origin: string | null) => (origin ? ` (${origin})` : '');
  const doubt = facts.hasLittleText ? '; too little text to check it' : '';
  return [
    (language ?? 'unknown language') + from(facts.languageFrom && facts.languageFrom + doubt),
    format,
    encoding && encoding + from(facts.encodingFrom),
    guide,
    `${facts.frameRate} fps${from(facts.frameRateFrom)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
