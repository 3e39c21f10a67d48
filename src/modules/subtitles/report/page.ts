import { createHash } from 'node:crypto';
import { textAt, valueAt } from '../../../core/json/fields.ts';
import { cellText } from '../../../core/values/cell.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { firstOf, plural } from '../../../core/values/numbers.ts';
import { type Clock, formatDate } from '../../../core/values/time.ts';
import { type CheckedSubtitles, countsOf, countText, type Finding } from '../check/check.ts';
import { numberOf } from '../check/checks.ts';
import { bbcGuide, guideTitle } from '../check/guideLimits.ts';
import { guideFor } from '../check/presets.ts';
import { type RuleName, ruleNames, rules } from '../check/rules.ts';
import {
  changesIn,
  changesText,
  findingRecords,
  type Summary,
  stateNames,
} from '../check/summary.ts';
import { diffNote, type EarlierFile, earlierFile, embeddedData } from '../compare/redelivery.ts';
import { fileRows } from '../formats/format.ts';
import { languageName, localeOf } from '../languages/language.ts';
import { plainText } from '../spans.ts';
import { nounOf } from '../subtitles.ts';
import { Html, html } from './html.ts';
import style from './style.css?raw';
import { timeline } from './timeline.ts';

export interface Report {
  /** Messages about translations that could not be read. */
  failures: readonly string[];
  /** Files of the delivery in other formats. */
  unread: readonly string[];
  /** Files of the earlier delivery, and what was wrong with them. The next page needs them, too. */
  notAgain: readonly (Pick<Summary, 'label' | 'errors' | 'warnings'> & { file: EarlierFile })[];
  made: Date;
  program: string;
}

/**
 * One page without scripts that loads nothing; the policy keeps it that way. `bodyOf` returns what
 * `reportBody` made of a file.
 */
export function* reportPage(
  files: readonly Summary[],
  { failures, unread, notAgain, made, program }: Report,
  bodyOf: (file: Summary) => string,
): Generator<string> {
  const [first] = files;
  const isOnly = files.length === 1;
  const subject = first && isOnly ? first.heading : plural(files.length, 'translation');
  const day = made.toISOString().slice(0, 16).replace('T', ' ');
  const styleHash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const start = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Subtitle check: ${subject}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>Subtitle check</h1>
<p class="quiet">${day} UTC, ${program}</p>
${failures.length > 0 && html`<p class="verdict error">Not checked</p><ul>${failures.map((message) => html`<li>${message}</li>`)}</ul>`}
${unread.length > 0 && html`<p class="verdict warning">Not read, because they have other formats</p><ul>${firstOf(unread, 200).map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`}
${notAgain.length > 0 && html`<p class="verdict error">Not delivered again</p><ul>${notAgain.map((file) => html`<li><bdi>${file.label}</bdi>: ${countText(file) || 'no problems'}</li>`)}</ul>${notAgain.map(({ label, file }) => dataOf(label, file))}`}
${changesIn(files) && html`<p>Since the earlier delivery: ${changesText(files)}.</p><p class="quiet">${diffNote}</p>`}
${!isOnly && overview(files)}
`;
  yield start.markup;
  for (const [at, file] of files.entries()) {
    yield html`<section id="s${at + 1}">
<h2><bdi>${file.heading}</bdi></h2>
${verdict(file)}
${file.takenFor && html`<p class="quiet">${plural(file.cues, nounOf(file))}, taken for ${file.takenFor}</p>`}
${file.earlier && changes(file)}
${dataOf(file.label, earlierFile(file))}
`.markup;
    yield bodyOf(file);
    yield html`${cueTable(file)}
</section>
`.markup;
  }
  const end = html`</main>
</body>
</html>
`;
  yield end.markup;
}

const dataOf = (label: string, file: EarlierFile) =>
  html`<data hidden value="${embeddedData(label, file)}"></data>`;

/** Lists the findings that were fixed, are gone with their cue, or are new. */
function changes(file: Summary): Html {
  const { against, closed = [], lostCues = [] } = file.earlier ?? {};
  if (!against) return html`<p>Not in the earlier delivery</p>`;
  const added = findingRecords(file).filter(({ state }) => state === 'new');
  const rows = [...closed, ...added].map(({ state, startTime, message }) => {
    return html`<li><b>${state}</b> ${startTime ?? ''} ${message}</li>`;
  });
  const cues = lostCues.map(({ start, text = '' }) => `${start.text} ${text}`.trim());
  return html`<p>${changesText([file])}, compared with <bdi>${against}</bdi></p>
${cues.length > 0 && html`<p>Not found again by their words or times. Put them back, unless they are gone on purpose: ${firstOf(cues, 200).join('; ')}</p>`}
<ul>${rows}</ul>`;
}

function overview(files: readonly Summary[]): Html {
  const names = changesIn(files) ? ['Fixed', 'Still there', 'New', 'Gone'] : [];
  const rows = files.map((file, at) => {
    const counts = Object.values(changesIn([file]) ?? {});
    const changed = counts.map((count) => html`<td class="number">${count}</td>`);
    return html`<tr><td><a href="#s${at + 1}"><bdi>${file.heading}</bdi></a></td><td class="language">${file.takenFor}</td><td class="number">${file.cues}</td>${countCells(file)}${changed}</tr>`;
  });
  return html`<h2>Translations</h2>
<table><thead><tr><th>Translation</th><th class="language">Taken for</th><th class="number">Cues</th><th class="number">Errors</th><th class="number">Warnings</th>${names.map((name) => html`<th class="number">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`;
}

function countCells({ errors, warnings }: Pick<Summary, 'errors' | 'warnings'>): Html {
  const cell = (count: number, name: string) =>
    html`<td class="number ${count > 0 ? name : 'zero'}">${count}</td>`;
  return html`${cell(errors, 'error')}${cell(warnings, 'warning')}`;
}

const problem = ({ severity, message, state }: Finding) =>
  html`${state && html`<b>${stateNames[state]}</b> `}<span class="${severity}">${severity}</span> ${message}`;

/** The counts, and what is known only when all files are. */
function verdict({ errors, warnings, findings }: Summary): Html {
  const inSet = findings
    .filter(({ rule }) => rule === 'delivery')
    .map((finding) => html`<p>${problem(finding)}</p>`);
  const level = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'good';
  const counts = countText({ errors, warnings }) || 'No problems';
  return html`<p class="verdict ${level}">${counts}</p>${inSet}`;
}

/** The part of a page that is known when one file is. */
export function reportBody(checked: CheckedSubtitles, readDate: Clock['date']) {
  return html`${facts(checked, readDate)}
${timeline(checked)}
${ruleTable(checked)}
`.markup;
}

/** The list at the top of a translation: language, territory, due date, instructions. A file has only a language. */
function facts({ subtitles }: CheckedSubtitles, readDate: Clock['date']): Html {
  const { language, request } = subtitles;
  const record = request?.record.value;
  const due = valueAt(record, 'due.date');
  const date = readDate(due);
  const known: [label: string, text: string][] = [
    ['Language', language === undefined ? 'unknown' : languageName(language)],
    ['Territory', cellText(valueAt(record, 'territory'))],
    ['Due', date ? formatDate(date, textAt(record, 'due.tz') || undefined) : cellText(due)],
    ['Instructions', cellText(valueAt(record, 'instructions'))],
  ];
  const rows = known
    .filter(([, text]) => text.trim() !== '')
    .map(([label, text]) => html`<dt>${label}</dt><dd>${fileRows(text).map(textRow)}</dd>\n`);
  return html`<dl>${rows}</dl>`;
}

const textRow = (content: Html | string) => html`<span class="row" dir="auto">${content}</span>`;

function ruleTable(checked: CheckedSubtitles): Html | undefined {
  const { findings, limits } = checked;
  const rows = ruleNames.flatMap((rule) => {
    const found = findings.filter((finding) => finding.rule === rule);
    if (found.length === 0) return [];
    const { title, limit } = rules[rule];
    const guide = guideOf(rule, checked);
    const link = guide && html`<a href="${guide.url}" rel="noopener noreferrer">${guide.name}</a>`;
    return html`<tr><td>${title}</td>${countCells(countsOf(found))}<td class="limits">${limit?.(limits)}</td><td>${link}</td></tr>`;
  });
  if (rows.length === 0) return undefined;
  return html`<h3>Problems by rule</h3>
<table class="rules"><thead><tr><th>Rule</th><th class="number">Errors</th><th class="number">Warnings</th><th class="limits">Limit</th><th>Guide</th></tr></thead>
<tbody>${rows}</tbody></table>
`;
}

/** Every address in a report is one of ours: none comes from a file or from the service. */
function guideOf(rule: RuleName, checked: CheckedSubtitles) {
  const { limit, netflix } = rules[rule];
  const { preset, subtitles } = checked;
  if (preset === 'bbc' && limit?.(bbcGuide.limits) !== limit?.({})) return bbcGuide;
  if (preset !== 'netflix' || !netflix) return undefined;
  const { url } = netflix(guideFor(subtitles.language));
  return { name: `Netflix ${guideTitle(url)}`, url };
}

function cueTable(file: Summary): Html | undefined {
  const findings = file.findings.filter(({ rule }) => rule !== 'delivery');
  if (findings.length === 0) return undefined;
  const noun = nounOf(file) === 'cue' ? 'Cue' : 'Line';
  // Findings that belong to no cue have rows of their own.
  const cues = groupBy(findings, ({ line, place }) =>
    line ? `cue ${line.index}` : `row ${place}`,
  );
  const rows = [...cues.values()].map((found) => cueRow(file, found));
  const line = file.format && html`<th class="number">Line of the file</th>`;
  return html`<h3>${noun}s with problems</h3>
<table class="cues"><thead><tr><th class="number">${noun}</th>${line}<th>Time</th><th>Text</th><th>Problems</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

function cueRow({ format, facts: { language } }: Summary, found: readonly Finding[]): Html {
  const [{ line, place }] = found as [Finding];
  const name = line ? numberOf(line) : format ? '' : place;
  const wholeText = plainText(line?.spans ?? []);
  const wrong = new Set(found.map(({ text }) => text).filter((text) => text !== wholeText));
  const rows = (line?.visible ?? []).map((text) =>
    textRow(wrong.has(text) ? html`<mark>${text}</mark>` : text),
  );
  const problems = found.map((finding) => html`<li>${problem(finding)}</li>`);
  const lang = localeOf(language ?? undefined)?.toString();
  const times =
    line && html`${line.start.text || 'no start'} <span>– ${line.stop.text || 'no stop'}</span>`;
  return html`<tr><td class="number cue">${name}</td>${format && html`<td class="number line">${place}</td>`}<td class="time">${times}</td><td class="text"${lang && html` lang="${lang}"`}>${rows}</td><td class="problems"><ul>${problems}</ul></td></tr>
`;
}
