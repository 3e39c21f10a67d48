import { createHash } from 'node:crypto';
import { plural } from '../../values/numbers.ts';
import type { Line } from '../lines.ts';
import { localeOf } from '../lint/limits.ts';
import type { Finding, RuleName } from '../lint/lint.ts';
import { plainText, visibleLines } from '../spans.ts';
import { Html, html } from './html.ts';
import { guideOf, type ReportedLimits, reportedRules } from './rules.ts';
import { style } from './style.ts';
import { timeline } from './timeline.ts';

interface ReportedSource extends ReportedLimits {
  name: string;
  isFile: boolean;
  lines: readonly Line[];
  findings: readonly Finding[];
}

interface Report {
  sources: readonly ReportedSource[];
  /** Messages about sources that could not be read. */
  failures: readonly string[];
  made: Date;
  program: string;
}

/** One page without scripts and without anything to load; the policy keeps it that way. */
export function reportPage({ sources, failures, made, program }: Report): string {
  const [first] = sources;
  const subject =
    first && sources.length === 1 ? first.name : plural(sources.length, 'translation');
  const all = sources.flatMap(({ findings }) => findings);
  const day = made.toISOString().slice(0, 16).replace('T', ' ');
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
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
<h1>Subtitle check: <bdi>${subject}</bdi></h1>
<p class="quiet">${day} UTC, ${program}</p>
${failures.length === 0 ? '' : html`<p class="verdict error">Not checked</p><ul>${failures.map((message) => html`<li>${message}</li>`)}</ul>`}
${sources.length === 1 ? '' : html`${overview(sources)}${ruleTotals(all)}`}
${sources.map((source, at) => section(source, at, sources.length === 1))}
</body>
</html>
`;
  return page.markup;
}

const errorsIn = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'error').length;

const nounOf = ({ isFile }: ReportedSource) => (isFile ? 'cue' : 'line');

function overview(sources: readonly ReportedSource[]): Html {
  const rows = sources.map(
    ({ name, language, lines, findings }, at) =>
      html`<tr><td><a href="#s${at + 1}"><bdi>${name}</bdi></a></td><td class="language">${language ?? ''}</td><td class="number">${lines.length}</td>${countCells(findings)}</tr>`,
  );
  return html`<h3>Translations</h3>
<table><thead><tr><th>Translation</th><th class="language">Language</th><th class="number">Cues</th><th class="number">Errors</th><th class="number">Warnings</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function countCells(findings: readonly Finding[]): Html {
  const errors = errorsIn(findings);
  const cell = (count: number, name: string) =>
    html`<td class="number ${count > 0 ? name : 'zero'}">${count}</td>`;
  return html`${cell(errors, 'error')}${cell(findings.length - errors, 'warning')}`;
}

/** The findings of each rule that found something, in the order of the rules. */
const byRule = (findings: readonly Finding[]) =>
  (Object.keys(reportedRules) as RuleName[])
    .map((rule) => ({ rule, found: findings.filter((finding) => finding.rule === rule) }))
    .filter(({ found }) => found.length > 0);

function ruleTotals(findings: readonly Finding[]): Html {
  const rows = byRule(findings).map(
    ({ rule, found }) => html`<tr><td>${reportedRules[rule].title}</td>${countCells(found)}</tr>`,
  );
  if (rows.length === 0) return html``;
  return html`<h3>Problems by rule</h3>
<table class="totals"><thead><tr><th>Rule</th><th class="number">Errors</th><th class="number">Warnings</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function section(source: ReportedSource, at: number, isOnly: boolean): Html {
  const { name, language, lines, findings, limits, preset } = source;
  const noun = nounOf(source);
  const errors = errorsIn(findings);
  const warnings = findings.length - errors;
  const verdict =
    errors > 0
      ? html`<p class="verdict error">${plural(errors, 'error')}, ${plural(warnings, 'warning')}</p>`
      : warnings > 0
        ? html`<p class="verdict warning">${plural(warnings, 'warning')}, no errors</p>`
        : html`<p class="verdict good">No problems</p>`;
  const facts = [
    languageName(language),
    plural(lines.length, noun),
    preset === 'none' ? 'no preset' : `preset ${preset}`,
  ];
  return html`<section id="s${at + 1}">
${isOnly ? '' : html`<h2><bdi>${name}</bdi></h2>`}
<p class="quiet">${facts.join(' · ')}</p>
${verdict}
${timeline({ lines, findings, limits, noun })}
${ruleTable(source)}
${cueTable(source)}
</section>
`;
}

function languageName(language: string | undefined): string {
  const locale = localeOf(language);
  if (language === undefined || !locale) return language ?? 'language unknown';
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(locale.toString());
  return name === undefined || name === language ? language : `${name} (${language})`;
}

function ruleTable(source: ReportedSource): Html {
  const { findings, limits, given, isFile } = source;
  const rows = byRule(findings).map(({ rule, found }) => {
    const { title, limit, limits: names = [] } = reportedRules[rule];
    const isChanged = names.some((name) => given[name] !== undefined);
    const guide = guideOf(rule, source);
    const link = guide && html`<a href="${guide.url}" rel="noopener noreferrer">${guide.name}</a>`;
    return html`<tr><td>${title}</td>${countCells(found)}<td class="limits">${limit?.(limits) ?? ''}${isChanged ? ' (set by a flag)' : ''}</td><td>${link ?? ''}</td></tr>`;
  });
  const table =
    rows.length === 0
      ? html``
      : html`<h3>Problems by rule</h3>
<table class="rules"><thead><tr><th>Rule</th><th class="number">Errors</th><th class="number">Warnings</th><th class="limits">Limit</th><th>Guide</th></tr></thead>
<tbody>${rows}</tbody></table>
`;
  const passed = Object.entries(reportedRules)
    .filter(([rule, { limit }]) => {
      const isApplied = limit ? limit(limits) !== undefined : isFile || rule !== 'file';
      return isApplied && findings.every((finding) => finding.rule !== rule);
    })
    .map(([, { title }]) => title);
  return html`${table}<p class="quiet">No problems with: ${passed.join(', ').toLowerCase()}.</p>`;
}

function cueTable(source: ReportedSource): Html {
  const { findings, isFile } = source;
  if (findings.length === 0) return html``;
  const noun = nounOf(source);
  // Findings that belong to no cue have rows of their own.
  const cues = new Map<number | string, Finding[]>();
  for (const finding of findings) {
    const key = finding.index ?? `line ${finding.place}`;
    cues.set(key, [...(cues.get(key) ?? []), finding]);
  }
  const rows = [...cues.values()].map((found) => cueRow(source, found));
  const title = isFile ? 'Cues with problems' : 'Lines with problems';
  const line = isFile ? html`<th class="number">Line of the file</th>` : html``;
  return html`<h3>${title}</h3>
<table class="cues"><thead><tr><th class="number">${noun === 'cue' ? 'Cue' : 'Line'}</th>${line}<th>Time</th><th>Text</th><th>Problems</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

function cueRow({ lines, isFile, language }: ReportedSource, found: readonly Finding[]): Html {
  const [{ index = -1, number, place } = { place: 0 }] = found as readonly Partial<Finding>[];
  const line = lines[index];
  const name = number ?? (line && isFile ? index + 1 : isFile ? '' : (place ?? ''));
  const wholeText = line ? plainText(line.spans) : '';
  const wrong = new Set(found.map(({ text }) => text).filter((text) => text !== wholeText));
  const rows = line
    ? visibleLines(line.spans).map((text) => {
        const content = wrong.has(text) ? html`<mark>${text}</mark>` : html`${text}`;
        return html`<span class="row" dir="auto">${content}</span>`;
      })
    : [];
  const problems = found.map(
    ({ severity, message }) =>
      html`<li><span class="${severity}">${severity}</span> ${message}</li>`,
  );
  const lang = localeOf(language)?.toString();
  const times = line
    ? html`${line.start.text || 'no start'} <span>– ${line.stop.text || 'no stop'}</span>`
    : html``;
  return html`<tr><td class="number cue">${name}</td>${isFile ? html`<td class="number line">${place ?? ''}</td>` : html``}<td class="time">${times}</td><td class="text"${lang === undefined ? '' : html` lang="${lang}"`}>${rows}</td><td class="problems"><ul>${problems}</ul></td></tr>
`;
}
