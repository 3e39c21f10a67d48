import { hash } from 'node:crypto';
import { textAt } from '../../../core/json/fields.ts';
import { wordsOf } from '../compare/languages.ts';
import { agree } from '../languages/language.ts';
import { fileNameFacts } from '../languages/languageOfName.ts';
import { type Line, sortedByStart, startOf } from '../line.ts';
import { plainText } from '../spans.ts';
import { type CheckedSubtitles, countsOf, type Finding } from './check.ts';
import { numberOf } from './checks.ts';
import { guideName } from './presets.ts';
import { rules } from './rules.ts';

/** A finding of an earlier delivery, as `check --json` printed it. */
export type EarlierFinding = ReturnType<typeof findingRecords>[number];

/** A cue as a later delivery is compared with it: instead of spans it has a hash of its words. */
export interface CueMark extends Line {
  /** Not in a page. */
  text?: string;
}

/** The facts that are kept of subtitles that were checked: a delivery may have hundreds of files. */
export interface Summary extends ReturnType<typeof summarise> {
  /** The findings and cues of the earlier delivery that this file no longer has. */
  earlier?: {
    against: string | null;
    /** `gone`: the whole cue is gone, so nothing was fixed. */
    closed: readonly (Omit<EarlierFinding, 'state'> & { state: 'fixed' | 'gone' })[];
    lostCues: readonly CueMark[];
  };
}

/** `label` names the file in a table of its delivery. */
export function summarise(checked: CheckedSubtitles, label: string) {
  const { subtitles } = checked;
  const { name, format, claims, lines, request } = subtitles;
  const asset = textAt(request?.record.value, 'asset.name');
  const facts = factsOf(checked);
  const nameFacts = fileNameFacts(name, (own) => claims.some(({ code }) => agree(code, own)));
  return {
    ...{ name, label, format, claims, request, facts, nameFacts },
    /** For people: `Trailer 1 (wr-2009)`, or the name of a file. */
    heading: asset === '' ? label : `${asset} (${name})`,
    cues: lines.length,
    marks: lines.map(markOf),
    takenFor: format || request ? takenFor(facts) : '',
    starts: Float64Array.from(sortedByStart(lines), startOf),
    ...countsOf(checked.findings),
    findings: [...checked.findings],
  };
}

function markOf(line: Line, place: number): CueMark {
  const { start, stop } = line;
  const text = plainText(line.spans);
  // Most mistakes can be fixed without changing a word.
  const words = hash('sha1', wordsOf(line).join(' ') || text, 'base64').slice(0, 6);
  return { place, start, stop, spans: [{ text: words }], tagProblems: [], text };
}

/** In a file, a line is a line of the file, and an entry is a cue. */
export const findingRecords = ({ name, format, findings }: ReturnType<typeof summarise>) =>
  findings.map(({ rule, severity, place, line, message, text, state, ...measured }) => ({
    ...{ source: name, severity, rule },
    ...(format
      ? { line: place, cue: line ? numberOf(line) : null }
      : { number: line?.number ?? null, place }),
    ...{ startTime: line?.start.text ?? null, message, text },
    ...{ value: null, limit: null, unit: null, fixable: rules[rule].isFixable === true },
    ...measured,
    ...(format && !format.isFixable && { fixable: false }),
    ...(state && { state }),
  }));

/** Adds a finding about a file as a part of its delivery. */
export function addDeliveryFinding(
  summary: Summary,
  message: string,
  severity: Finding['severity'] = 'error',
): void {
  summary.findings.push({ rule: 'delivery', severity, message, place: 1, text: '' });
  summary[severity === 'error' ? 'errors' : 'warnings'] += 1;
}

/** The words for people. */
export const stateNames = { fixed: 'fixed', remaining: 'still there', new: 'new', gone: 'gone' };

/** How many findings are in each state; undefined if nothing was compared. */
export function changesIn(files: readonly Summary[]) {
  if (files.every(({ earlier }) => !earlier)) return undefined;
  const all = files.flatMap(({ findings, earlier }) => [...findings, ...(earlier?.closed ?? [])]);
  const counts = { fixed: 0, remaining: 0, new: 0, gone: 0 };
  for (const { state } of all) if (state) counts[state] += 1;
  return counts;
}

export function changesText(files: readonly Summary[]): string | undefined {
  const found = changesIn(files);
  if (!found) return undefined;
  const { fixed, remaining, gone } = found;
  return `${fixed} fixed, ${remaining} still there, ${found.new} new, ${gone} gone with the cue`;
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
