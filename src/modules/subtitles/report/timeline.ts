import { plural } from '../../../core/values/numbers.ts';
import type { CheckedSubtitles, Finding } from '../check/check.ts';
import type { Limits } from '../check/guideLimits.ts';
import { readingOf } from '../check/measure.ts';
import { durationOf, type Line, sortedByStart, startOf, stopOf } from '../line.ts';
import { visibleLines } from '../spans.ts';
import { nounOf } from '../subtitles.ts';
import { formatTimecode } from '../timecode.ts';
import { type Html, html } from './html.ts';

/** The picture is made of columns, so that its size does not grow with the number of cues. */
const columnCount = 1000;
/** Shorter marks could not be seen. */
const minMark = 4;
const height = { top: 18, speed: 100, lane: 8, gap: 4, axis: 18 };
/** Characters a second, if there is no limit. */
const defaultTop = 50;
const tickCount = 5;

/** Reading speed over time, with the problems below it. Undefined if no line has usable times. */
export function timeline({ subtitles, findings, limits }: CheckedSubtitles): Html | undefined {
  const shown = sortedByStart(subtitles.lines);
  const [first] = shown;
  if (!first) return undefined;
  const end = shown.reduce((latest, line) => Math.max(latest, stopOf(line)), 0);
  // A programme whose times start at an hour such as 10:00:00 is not drawn at the far right.
  const start = startOf(first) > end / 2 ? startOf(first) : 0;
  const columnAt = (time: number) => ((time - start) / (end - start)) * columnCount;

  const speeds = new Float64Array(columnCount);
  for (const line of shown) {
    const speed = speedOf(line, limits);
    const to = Math.ceil(columnAt(stopOf(line)));
    for (let at = Math.floor(columnAt(startOf(line))); at < to; at += 1) {
      speeds[at] = Math.max(speeds[at] ?? 0, speed);
    }
  }
  const highest = speeds.reduce((one, other) => Math.max(one, other), 0);
  const { maxSpeed } = limits;
  const top = maxSpeed === undefined ? defaultTop : maxSpeed * 2.5;
  const heightOf = (speed: number) => (Math.min(speed, top) / top) * height.speed;
  const bars = (isDrawn: (speed: number) => boolean) =>
    runs(speeds, isDrawn)
      .map(({ from, to, value }) => `M${from} 0V${rounded(heightOf(value))}H${to}V0z`)
      .join('');
  const isFast = (speed: number) => maxSpeed !== undefined && speed > maxSpeed;

  const lane = (severity: Finding['severity'], y: number) => {
    const marked = new Float64Array(columnCount);
    for (const { line, severity: found } of findings) {
      if (found !== severity || !line || durationOf(line) === undefined) continue;
      // A line that stops before it starts may be outside of the picture.
      const left = Math.max(0, Math.floor(columnAt(startOf(line))));
      const from = Math.min(left, columnCount - minMark);
      marked.fill(1, from, Math.max(columnAt(stopOf(line)), from + minMark));
    }
    const marks = runs(marked, (value) => value > 0);
    const path = marks.map(({ from, to }) => `M${from} 0H${to}V1H${from}z`).join('');
    return html`<svg y="${y}" width="100%" height="${height.lane}" viewBox="0 0 ${columnCount} 1" preserveAspectRatio="none"><rect class="lane" width="${columnCount}" height="1"/><path class="${severity}" d="${path}"/></svg>`;
  };

  const base = height.top + height.speed;
  const errorLane = base + height.gap;
  const warningLane = errorLane + height.lane + height.gap;
  const axis = warningLane + height.lane + height.axis;
  const ticks = Array.from({ length: tickCount + 1 }, (_, at) => {
    const time = start + ((end - start) * at) / tickCount;
    const x = rounded((columnAt(time) / columnCount) * 100);
    const anchor = x < 5 ? 'start' : x > 92 ? 'end' : 'middle';
    return html`<line class="grid" x1="${x}%" x2="${x}%" y1="${height.top}" y2="${axis - 12}"/><text x="${x}%" y="${axis}" text-anchor="${anchor}">${formatTimecode(time, '.').slice(0, -4)}</text>`;
  });
  const limitAt = maxSpeed && rounded(base - heightOf(maxSpeed));
  const description = `${plural(shown.length, nounOf(subtitles))} from ${formatTimecode(start, '.')} to ${formatTimecode(end, '.')}, at most ${rounded(highest)} characters per second`;
  const key = (name: string, meaning: string) =>
    html`<span><span class="key ${name}"></span>${meaning}</span> `;
  return html`<figure>
<svg class="timeline" width="100%" height="${axis + 4}" role="img" aria-label="${description}">
${ticks}
<svg y="${height.top}" width="100%" height="${height.speed}" viewBox="0 0 ${columnCount} ${height.speed}" preserveAspectRatio="none"><g transform="matrix(1 0 0 -1 0 ${height.speed})"><path class="speed" d="${bars((speed) => speed > 0 && !isFast(speed))}"/><path class="fast" d="${bars(isFast)}"/></g></svg>
${lane('error', errorLane)}
${lane('warning', warningLane)}
${limitAt && html`<line class="limit" x1="0" x2="100%" y1="${limitAt}" y2="${limitAt}"/>`}
<text x="0" y="11">Fastest: ${rounded(highest)} characters per second${maxSpeed && ` (limit ${maxSpeed})`}${highest > top && `, drawn up to ${rounded(top)}`}</text>
</svg>
<figcaption>${key('speed', 'reading speed')}${maxSpeed && key('fast', 'above the limit')}${key('error', 'errors')}${key('warning', 'warnings')}</figcaption>
</figure>`;
}

function speedOf(line: Line, { countsFullWidth }: Limits): number {
  const reading = readingOf(visibleLines(line.spans), { maxSpeed: 1, countsFullWidth });
  return reading.speedsIn(durationOf(line) ?? 0)[0]?.rate ?? 0;
}

/** The columns with the same value, if they are drawn, as ranges. */
function runs(values: Float64Array, isDrawn: (value: number) => boolean) {
  const found: { from: number; to: number; value: number }[] = [];
  for (const [at, value] of values.entries()) {
    if (!isDrawn(value)) continue;
    const last = found.at(-1);
    if (last?.to === at && last.value === value) last.to = at + 1;
    else found.push({ from: at, to: at + 1, value });
  }
  return found;
}

const rounded = (value: number) => Number(value.toFixed(1));
