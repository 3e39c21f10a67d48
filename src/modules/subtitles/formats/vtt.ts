import type { Cue, Line } from '../line.ts';
import { type Span, taggedText } from '../spans.ts';
import { formatTimecode, readTimecode, type Timecode } from '../timecode.ts';
import {
  arrowProblems,
  escaped,
  type FileContent,
  type FileProblem,
  fileRows,
  type SubtitleFormat,
} from './format.ts';
import type { ReadText } from './markup.ts';

const signature = /^WEBVTT(?:[ \t\r\n]|$)/;
const entity = /&#?\w{1,32};/g;

/** WebVTT as browsers read it. */
export const vtt: SubtitleFormat = {
  name: 'vtt',
  title: 'WebVTT',
  extensions: ['vtt'],
  start: signature,
  recognisedBy: 'starts with WEBVTT',
  needsNumbers: false,
  isFixable: true,
  async parser() {
    const { html, htmlTokens, parseMarkup } = await import('./markup.ts');
    const language = {
      ...html,
      // Like HTML, but upper case counts, and in `<c.yellow>` the name ends at the dot: a class follows.
      tokens: (source: string) => htmlTokens(source, (name) => name.replace(/\..*/s, '')),
      collapses: false,
      // A voice may last until the end of its cue.
      openEnded: new Set(['v', 'rt']),
      known: new Set(['b', 'i', 'u', 'c', 'v', 'lang', 'ruby', 'rt']),
    };
    const readText: ReadText = (text) => parseMarkup(text.replace(innerTime, ''), language);
    return {
      read: (text) =>
        readRows(fileRows(text.replaceAll('\u0000', '\ufffd')), signature.test(text), readText),
      text: {
        mark: '.',
        timing: (row) => ({ ...splitTiming(row), arrow: '-->' }),
        // The reading of a ruby takes no width, so it counts as a tag.
        tags: /(<rt>[^<]*<\/rt>|<[^<>]*>)/,
        toVisible: (text) => text.replace(entity, 'x'),
      },
    };
  },
  /** WebVTT requires cues in the order of their times. */
  write(cues) {
    const ordered = cues.toSorted((a, b) => a.start - b.start);
    return ['WEBVTT\n', ...ordered.map(cueBlock)].join('\n');
  },
  warnings(cues) {
    const isOutOfOrder = cues.some(({ start }, index) => start < (cues[index - 1]?.start ?? 0));
    return isOutOfOrder ? ['cues are sorted by time, as WebVTT requires'] : [];
  },
};

const notCues = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

/** Like in browsers, a cue starts at its times even without an empty row before it. */
function readRows(rows: readonly string[], hasSignature: boolean, readText: ReadText): FileContent {
  const lines: Line[] = [];
  const problems: FileProblem[] = [];
  if (!hasSignature) {
    const message = 'the file does not start with WEBVTT, so browsers reject it';
    problems.push({ row: 1, message });
  }
  for (const { row, content, isTight } of blocksOf(rows, hasSignature)) {
    const at = content.findIndex(hasArrow);
    if (isTight) problems.push({ row, message: 'no empty line before this cue' });
    if (at >= 0) {
      const { line, timingProblems } = readCue(content, at, row, readText);
      lines.push(line);
      for (const problem of timingProblems) problems.push({ row: row + at, ...problem });
    } else if ((row > 1 || !hasSignature) && !notCues.test(content[0] ?? '')) {
      problems.push({ row, message: 'block without a timing line' });
    }
  }
  // Not in the standard, but written by YouTube and others.
  const header = rows.slice(0, rows.indexOf('') + 1).join('\n');
  const language = /^Language:\s*(\S+)/im.exec(header)?.[1];
  return { lines, problems, language };
}

const hasArrow = (text: string) => text.includes('-->');

interface Block {
  row: number;
  content: string[];
  /** It follows another block without an empty row. */
  isTight: boolean;
}

function blocksOf(rows: readonly string[], hasSignature: boolean): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, text] of rows.entries()) {
    if (text === '') open = undefined;
    else if (open && !(hasArrow(text) && isComplete(open, hasSignature))) open.content.push(text);
    else {
      open = { row: index + 1, content: [text], isTight: open !== undefined };
      blocks.push(open);
    }
  }
  return blocks;
}

/** A cue has times only once, at most one row after its name, so further times start a new cue. */
const isComplete = ({ row, content }: Block, hasSignature: boolean) =>
  (row === 1 && hasSignature) || content.length > 1 || content.some(hasArrow);

function readCue(content: readonly string[], at: number, row: number, readText: ReadText) {
  const timingRow = content[at] ?? '';
  const { start, stop, settings } = splitTiming(timingRow);
  const [from, to] = [readTime(start), readTime(stop)];
  const text = content.slice(at + 1).join('\n');
  const { spans, problems, closable } = readText(text);
  const name = at === 1 ? (content[0] ?? '') : '';
  const timing = row - 1 + at;
  const line: Line = {
    place: row,
    number: /^\d{1,15}$/.test(name.trim()) ? Number(name) : undefined,
    start: from,
    stop: to,
    spans,
    tagProblems: [...problems, ...textProblems(text)],
    closable,
    rows: { timing, end: timing + content.length - at },
  };
  return { line, timingProblems: [...arrowProblems(timingRow), ...settingProblems(settings)] };
}

/** White space in a timing row is what ASCII has of it, without the vertical tab. */
function splitTiming(row: string) {
  const arrow = row.indexOf('-->');
  const after = row.slice(arrow + 3).replace(/^[ \t\f]+/, '');
  const stop = /^(?:[\d:.,]+|[^ \t\f]*)/.exec(after)?.[0] ?? '';
  const start = row
    .slice(0, arrow)
    .split(/[ \t\f]+/)
    .filter((word) => word !== '');
  return { start: start.join(' '), stop, settings: after.slice(stop.length) };
}

/** WebVTT requires the dot, and allows times without hours. */
function readTime(written: string): Timecode {
  const isShort = /^\d{2}:\d{2}[,.]\d+$/.test(written);
  // Other white space than that of ASCII is not left out, so that it counts as a mistake.
  const text = written.trim() === written ? written : `\ufffd${written.trim()}`;
  const { hasDot, ...timecode } = readTimecode(isShort ? `00:${text}` : text, '.');
  if (hasDot || timecode.problem !== undefined) return timecode;
  return { ...timecode, problem: 'has a comma; WebVTT needs a dot' };
}

/** Times inside the text like `<00:00:01.000>`, which are for karaoke. */
const innerTime = /<(\d[\d:.]*)>/g;
const unescapedAnd = /&(?!#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/i;
/** Every `<` starts a tag, and browsers leave out the text up to the next `>`. */
const unescapedLess = /<(?![a-z/])|<\/[^<>]*(?:<|$)/i;

/** Problems of a cue's text, besides tags that do not match. */
function textProblems(text: string): string[] {
  return [
    ...(unescapedAnd.test(text) ? ['& must be written as &amp;'] : []),
    ...(unescapedLess.test(text.replace(innerTime, '')) ? ['< must be written as &lt;'] : []),
  ];
}

const percentage = '(?:100(?:\\.0+)?|\\d{1,2}(?:\\.\\d+)?)%';
const position = `(?:${percentage}|-?\\d+(?:\\.\\d+)?)`;
const validSetting = new RegExp(
  `^(?:vertical:(?:rl|lr)|line:${position}(?:,(?:start|center|end))?|position:${percentage}(?:,(?:line-left|center|line-right))?|size:${percentage}|align:(?:start|center|end|left|right)|region:[^,]+)$`,
);

/** The settings of a cue that browsers ignore. */
const settingProblems = (settings: string) =>
  settings
    .split(/[ \t\f]+/)
    .filter((word) => word !== '' && !validSetting.test(word))
    .map((word) => ({ message: `invalid cue setting "${word.slice(0, 40)}"` }));

function cueBlock({ number, start, stop, spans, placement }: Cue): string {
  const { vertical, horizontal } = placement;
  const line = vertical === 'top' ? ' line:0' : vertical === 'middle' ? ' line:50%' : '';
  const align = horizontal ? ` align:${horizontal}` : '';
  const times = [start, stop].map((time) => formatTimecode(time, '.')).join(' --> ');
  return `${number}\n${times}${line}${align}\n${taggedText(spans, spanText)}\n`;
}

function spanText({ text, ruby }: Span): string {
  if (ruby === undefined) return escaped(text);
  return `<ruby>${escaped(text)}<rt>${escaped(ruby)}</rt></ruby>`;
}
