import { createHash } from 'node:crypto';
import { textAt, valueAt } from '../../json/fields.ts';
import { languageName, localeOf } from '../../languages/language.ts';
import { cellText } from '../../values/cell.ts';
import { plural } from '../../values/numbers.ts';
import { visibleJson } from '../../values/sanitise.ts';
import { type Clock, formatDate } from '../../values/time.ts';
import { type CheckedSubtitles, countsOf, type Finding, takenFor } from '../check/check.ts';
import { bbcGuide, guideTitle } from '../check/guideLimits.ts';
import { guideFor } from '../check/presets.ts';
import { numberOf } from '../check/rules/rule.ts';
import { type RuleName, ruleNames, rules } from '../check/rules/rules.ts';
import { rowsOf } from '../formats/format.ts';
import { playerText } from '../formats/registry.ts';
import { durationOf, sortedByStart, startOf, stopOf } from '../line.ts';
import { plainText } from '../spans.ts';
import { nounOf, type Subtitles } from '../subtitles.ts';
import { Html, html } from './html.ts';
import script from './player.js?raw';
import { style } from './style.ts';
import { timeline } from './timeline.ts';

interface Report {
  checked: readonly CheckedSubtitles[];
  /** Messages about translations that could not be read. */
  failures: readonly string[];
  made: Date;
  program: string;
  readDate: Clock['date'];
  /** The address of a video, relative or with its content. */
  video?: string;
}

/**
 * One page that loads nothing, except for a video that is not embedded; the policy keeps it that way.
 * Only a page with a video has a script.
 */
export function reportPage(report: Report): string {
  const { checked, failures, made, program, video } = report;
  const [first] = checked;
  const isOnly = checked.length === 1;
  const subject =
    first && isOnly ? titleOf(first.subtitles) : plural(checked.length, 'translation');
  const all = checked.flatMap(({ findings }) => findings);
  const day = made.toISOString().slice(0, 16).replace('T', ' ');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(video)}">
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
${!isOnly && html`${overview(checked)}${ruleTotals(all)}`}
${checked.map((one, at) => section(one, at, report))}
</main>
${video && html`<script type="application/json" id="tracks">${tracks(checked)}</script><script>${new Html(script)}</script>`}
</body>
</html>
`;
  return page.markup;
}

/**
 * By the standard, 'self' matches nothing for a page that was opened from a disk, and a source cannot
 * have the path of a file. So a video that is not embedded needs `file:`.
 */
function policyFor(video: string | undefined): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const media = video?.startsWith('data:') ? 'data:' : 'file:';
  const played = video ? `; script-src ${hash(script)}; media-src ${media}` : '';
  return `default-src 'none'; style-src ${hash(style)}${played}; base-uri 'none'; form-action 'none'`;
}

/** `Trailer 1 (wr-2009)`, or the name of a file. */
function titleOf({ name, request }: Subtitles): string {
  const asset = textAt(request?.record.value, 'asset.name');
  return asset === '' ? name : `${asset} (${name})`;
}

/** The subtitles for the player, as JSON in which no text can end the element around it. */
function tracks(checked: readonly CheckedSubtitles[]): Html {
  const data = checked.map(({ subtitles, language }) => ({
    label: titleOf(subtitles),
    language: localeOf(language)?.toString(),
    cues: sortedByStart(subtitles.lines).map((line) => ({
      start: startOf(line),
      stop: stopOf(line),
      text: playerText(line.spans),
      ...line.placement,
    })),
  }));
  return new Html(visibleJson(JSON.stringify(data)).replaceAll('<', '\\u003c'));
}

function overview(checked: readonly CheckedSubtitles[]): Html {
  const rows = checked.map(
    (one, at) =>
      html`<tr><td><a href="#s${at + 1}"><bdi>${titleOf(one.subtitles)}</bdi></a></td><td class="language">${one.subtitles.format ? takenFor(one) : one.language}</td><td class="number">${one.cues}</td>${countCells(one.findings)}</tr>`,
  );
  return html`<h2>Translations</h2>
<table><thead><tr><th>Translation</th><th class="language">Language</th><th class="number">Cues</th><th class="number">Errors</th><th class="number">Warnings</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function countCells(findings: readonly Finding[]): Html {
  const { errors, warnings } = countsOf({ findings });
  const cell = (count: number, name: string) =>
    html`<td class="number ${count > 0 ? name : 'zero'}">${count}</td>`;
  return html`${cell(errors, 'error')}${cell(warnings, 'warning')}`;
}

/** The findings of each rule that found something, in the order of the rules. */
const byRule = (findings: readonly Finding[]) =>
  ruleNames
    .map((rule) => ({ rule, found: findings.filter((finding) => finding.rule === rule) }))
    .filter(({ found }) => found.length > 0);

function ruleTotals(findings: readonly Finding[]): Html | undefined {
  const rows = byRule(findings).map(
    ({ rule, found }) => html`<tr><td>${rules[rule].title}</td>${countCells(found)}</tr>`,
  );
  if (rows.length === 0) return undefined;
  return html`<h2>Problems by rule</h2>
<table class="totals"><thead><tr><th>Rule</th><th class="number">Errors</th><th class="number">Warnings</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function section(checked: CheckedSubtitles, at: number, { readDate, video }: Report): Html {
  const { subtitles, findings, preset } = checked;
  const { errors, warnings } = countsOf({ findings });
  const verdict =
    errors > 0
      ? html`<p class="verdict error">${plural(errors, 'error')}, ${plural(warnings, 'warning')}</p>`
      : warnings > 0
        ? html`<p class="verdict warning">${plural(warnings, 'warning')}, no errors</p>`
        : html`<p class="verdict good">No problems</p>`;
  // The script gives it to the other players: that of an embedded video is its content.
  const address = video && at === 0 && html` src="${video}"`;
  const applied = preset === 'none' ? 'no preset' : `preset ${preset}`;
  return html`<section id="s${at + 1}">
<h2><bdi>${titleOf(subtitles)}</bdi></h2>
${facts(checked, readDate)}
${verdict}
<p class="quiet">${plural(checked.cues, nounOf(subtitles))} · ${applied}</p>
${video && html`<video controls preload="metadata" aria-label="Video with these subtitles"${address}></video>`}
${timeline(checked)}
${video && html`<p><button class="previous" aria-keyshortcuts="p">Previous problem (p)</button> <button class="next" aria-keyshortcuts="n">Next problem (n)</button></p><p role="status"></p>`}
${ruleTable(checked)}
${cueTable(checked)}
</section>
`;
}

/** The list at the top of a translation: language, territory, due date, instructions. A file has only a language. */
function facts(checked: CheckedSubtitles, readDate: Clock['date']): Html {
  const { subtitles, language } = checked;
  const record = subtitles.request?.record.value;
  const due = valueAt(record, 'due.date');
  const date = readDate(due);
  const known: [label: string, text: string][] = [
    ['Language', language === undefined ? 'unknown' : languageName(language)],
    ['Taken for', subtitles.format ? takenFor(checked) : ''],
    ['Territory', cellText(valueAt(record, 'territory'))],
    ['Due', date ? formatDate(date, textAt(record, 'due.tz') || undefined) : cellText(due)],
    ['Instructions', cellText(valueAt(record, 'instructions'))],
  ];
  const rows = known
    .filter(([, text]) => text.trim() !== '')
    .map(([label, text]) => html`<dt>${label}</dt><dd>${rowsOf(text).map(textRow)}</dd>\n`);
  return html`<dl>${rows}</dl>`;
}

const textRow = (content: Html | string) => html`<span class="row" dir="auto">${content}</span>`;

function ruleTable(checked: CheckedSubtitles): Html {
  const { findings, limits, given, subtitles } = checked;
  const rows = byRule(findings).map(({ rule, found }) => {
    const { title, limit } = rules[rule];
    const isChanged = limit?.(given) !== limit?.({});
    const guide = guideOf(rule, checked);
    const link = guide && html`<a href="${guide.url}" rel="noopener noreferrer">${guide.name}</a>`;
    return html`<tr><td>${title}</td>${countCells(found)}<td class="limits">${limit?.(limits)}${isChanged && ' (set by a flag)'}</td><td>${link}</td></tr>`;
  });
  const table =
    rows.length > 0 &&
    html`<h3>Problems by rule</h3>
<table class="rules"><thead><tr><th>Rule</th><th class="number">Errors</th><th class="number">Warnings</th><th class="limits">Limit</th><th>Guide</th></tr></thead>
<tbody>${rows}</tbody></table>
`;
  const passed = ruleNames
    .filter((rule) => {
      const { limit } = rules[rule];
      const isApplied = limit ? limit(limits) !== undefined : subtitles.format || rule !== 'file';
      return isApplied && findings.every((finding) => finding.rule !== rule);
    })
    .map((rule) => rules[rule].title);
  return html`${table}<p class="quiet">No problems with: ${passed.join(', ').toLowerCase()}.</p>`;
}

/** Every address in a report is one of ours: none comes from a file or from the service. */
function guideOf(rule: RuleName, checked: CheckedSubtitles) {
  const { isAboutFormat, limit, netflix } = rules[rule];
  const { preset, language } = checked;
  const { specification } = checked.subtitles.format ?? {};
  if (isAboutFormat && specification) return specification;
  if (preset === 'bbc' && limit?.(bbcGuide.limits) !== limit?.({})) return bbcGuide;
  if (preset !== 'netflix' || !netflix) return undefined;
  const { url } = netflix(guideFor(language));
  return { name: `Netflix ${guideTitle(url)}`, url };
}

function cueTable(checked: CheckedSubtitles): Html | undefined {
  const { findings, subtitles } = checked;
  if (findings.length === 0) return undefined;
  const noun = nounOf(subtitles) === 'cue' ? 'Cue' : 'Line';
  // Findings that belong to no cue have rows of their own.
  const cues = new Map<unknown, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = finding.line ?? finding.place;
    const known = cues.get(key);
    if (known) known.push(finding);
    else cues.set(key, [finding]);
  }
  const rows = [...cues.values()].map((found) => cueRow(checked, found));
  const line = subtitles.format && html`<th class="number">Line of the file</th>`;
  return html`<h3>${noun}s with problems</h3>
<table class="cues"><thead><tr><th class="number">${noun}</th>${line}<th>Time</th><th>Text</th><th>Problems</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

function cueRow(
  { subtitles, language }: CheckedSubtitles,
  found: readonly [Finding, ...Finding[]],
): Html {
  const { format } = subtitles;
  const [{ line, place }] = found;
  const name = line ? numberOf(line) : format ? '' : place;
  const wholeText = plainText(line?.spans ?? []);
  const wrong = new Set(found.map(({ text }) => text).filter((text) => text !== wholeText));
  const rows = (line?.visible ?? []).map((text) =>
    textRow(wrong.has(text) ? html`<mark>${text}</mark>` : text),
  );
  const problems = found.map(
    ({ severity, message }) =>
      html`<li><span class="${severity}">${severity}</span> ${message}</li>`,
  );
  const lang = localeOf(language)?.toString();
  const times =
    line && html`${line.start.text || 'no start'} <span>– ${line.stop.text || 'no stop'}</span>`;
  const start = line && durationOf(line) !== undefined && html` data-start="${startOf(line)}"`;
  return html`<tr${start}><td class="number cue">${name}</td>${format && html`<td class="number line">${place}</td>`}<td class="time">${times}</td><td class="text"${lang && html` lang="${lang}"`}>${rows}</td><td class="problems"><ul>${problems}</ul></td></tr>
`;
}
