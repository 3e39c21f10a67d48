import { textAt } from '../../../core/json/fields.ts';
import { isSentence, wordsOf } from '../compare/languages.ts';
import { fileNameFacts } from '../languages/languageOfName.ts';
import { sortedByStart, startOf } from '../line.ts';
import { type CheckedSubtitles, countsOf, type Finding } from './check.ts';
import { guideName } from './presets.ts';

/** What is kept of subtitles that were checked: a delivery may have hundreds of files. */
export type Summary = ReturnType<typeof summarise>;

/** The first ones are enough to recognise a copy. */
const maxSentences = 100;

/** `label` names the file in a table of its delivery. */
export function summarise(
  checked: CheckedSubtitles,
  { label, keepsCues }: { label: string; keepsCues: boolean },
) {
  const { subtitles } = checked;
  const { name, format, claims, lines, request } = subtitles;
  const asset = textAt(request?.record.value, 'asset.name');
  const facts = factsOf(checked);
  const sentences = lines.slice(0, maxSentences).map(wordsOf).filter(isSentence);
  return {
    ...{ name, label, format, claims, request, facts, nameFacts: fileNameFacts(name) },
    /** For people: `Trailer 1 (wr-2009)`, or the name of a file. */
    heading: asset === '' ? name : `${asset} (${name})`,
    cues: lines.length,
    takenFor: format || request ? takenFor(facts) : '',
    declaredRate: subtitles.frameRate?.name,
    starts: Float64Array.from(sortedByStart(lines), startOf),
    sentences: new Set(sentences.map((words) => words.join(' '))),
    ...countsOf(checked.findings),
    /** Those about the file as a whole; those in cues are only counted, if they are not to be listed. */
    findings: checked.findings.filter(({ line }) => keepsCues || !line),
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

/** What subtitles are taken for, and what says so. */
const factsOf = ({ subtitles, frameRate, preset }: CheckedSubtitles) => ({
  language: subtitles.language ?? null,
  languageFrom: subtitles.claims[0]?.by ?? null,
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
  return [
    (language ?? 'unknown language') + from(facts.languageFrom),
    format,
    encoding && encoding + from(facts.encodingFrom),
    guide,
    `${facts.frameRate} fps${from(facts.frameRateFrom)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
