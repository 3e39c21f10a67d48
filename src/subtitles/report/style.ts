export const style = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --quiet: #57606a; --page: #fff; --panel: #f6f8fa; --edge: #d0d7de;
  --link: #0550ae; --error: #b3261e; --warning: #8a5a00; --good: #1a6b34;
  --speed: #8fb4e3; --fast: #e08a3c; --caution: #e0b400; --mark: #ffe3a3;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --quiet: #9aa4af; --page: #0d1117; --panel: #161b22; --edge: #30363d;
    --link: #79b8ff; --error: #ff8a80; --warning: #e3b341; --good: #6fcf8b;
    --speed: #3f6ea8; --fast: #e07b3f; --caution: #e3b341; --mark: #5c4500;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 66rem;
  font: 15px/1.5 system-ui, "Noto Sans", sans-serif; color: var(--text); background: var(--page);
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
h1, h2, td { overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0 .75rem; }
dd { margin: 0; overflow-wrap: anywhere; }
section { margin-top: 2rem; padding-top: 1.25rem; border-top: 1px solid var(--edge); }
p { margin: .25rem 0; }
a { color: var(--link); }
.quiet, figcaption, dt, th { color: var(--quiet); }
.quiet, figcaption { font-size: .87rem; }
.verdict, [role=status] { font-weight: 600; }
.error { color: var(--error); fill: var(--error); }
.warning { color: var(--warning); fill: var(--caution); }
.zero { color: var(--quiet); }
.good { color: var(--good); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: start; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--edge); }
th { font-size: .8rem; font-weight: 600; }
th:last-child, td:last-child { padding-inline-end: 0; }
.number { text-align: end; white-space: nowrap; }
.time, .time span { white-space: nowrap; }
.time span { display: block; }
.cues .text { width: 40%; }
.cues ul { margin: 0; padding: 0; list-style: none; }
.row { display: block; white-space: pre-wrap; unicode-bidi: isolate; }
mark { color: inherit; background: var(--mark); }
figure { position: relative; margin: 1rem 0 0; }
video { display: block; width: 100%; max-height: 55vh; margin-top: 1rem; background: #000; }
video + figure svg.timeline { cursor: pointer; }
.playhead { position: absolute; top: 18px; width: 2px; height: 124px; background: var(--text); pointer-events: none; }
button { font: inherit; text-align: inherit; cursor: pointer; }
[aria-current] { background: var(--panel); }
svg { display: block; }
svg text { font-size: 11px; fill: var(--quiet); }
.speed { fill: var(--speed); }
.fast { fill: var(--fast); }
.lane { fill: var(--panel); }
.grid { stroke: var(--edge); }
.limit { stroke: var(--text); stroke-dasharray: 4 3; }
figcaption span { white-space: nowrap; margin-inline-end: .75em; }
figcaption .key { display: inline-block; width: .75em; height: .75em; margin-inline-end: .35em; background: var(--speed); }
figcaption .key.fast { background: var(--fast); }
figcaption .key.error { background: var(--error); }
figcaption .key.warning { background: var(--caution); }
@media screen and (max-width: 40rem) {
  th, td { padding-inline-end: .4rem; }
  th { font-size: .75rem; }
  .cues thead, .language { display: none; }
  .cues tr { display: flex; flex-wrap: wrap; column-gap: .75rem; padding: .6rem 0; border-bottom: 1px solid var(--edge); }
  .cues td { border: 0; padding: 0; text-align: start; color: var(--quiet); font-size: .87rem; }
  .time span { display: inline; }
  .cues .cue::before { content: "#"; }
  .cues .line::before { content: "line "; }
  .cues .line:empty, .cues .cue:empty, .rules .limits { display: none; }
  .cues .text, .cues .problems { width: 100%; color: inherit; font-size: 1rem; }
}
@media print {
  :root { color-scheme: light; --text: #000; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  video, .playhead, p button { display: none; }
  tr, figure, li { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  svg, .key, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
