import type { Cue, Line } from '../line.ts';
import { plainText, taggedText } from '../spans.ts';
import { formatTimecode, readTimecode } from '../timecode.ts';
import {
  arrowProblems,
  type FileContent,
  type FileProblem,
  fileRows,
  type SubtitleFormat,
} from './format.ts';
import type { ReadText, Token } from './markup.ts';

/** SRT, which has no specification: what players read. */
export const srt: SubtitleFormat = {
  name: 'srt',
  title: 'SRT',
  extensions: ['srt'],
  recognisedBy: 'has timing lines such as 00:00:03,200 --> 00:00:05,900',
  needsNumbers: true,
  isFixable: true,
  async parser() {
    const { html, parseMarkup } = await import('./markup.ts');
    // The few tags of SRT mean what they mean in HTML.
    const language = { ...html, tokens: textTokens, collapses: false };
    const readText = (text: string) => parseMarkup(text.replace(codes, ''), language);
    return {
      read: (text) => readRows(fileRows(text), readText),
      text: { mark: ',', timing: splitTiming, tags: tagsAndCodes },
    };
  },
  write: (cues) =>
    cues
      .map((cue) => {
        const times = [cue.start, cue.stop].map((time) => formatTimecode(time, ','));
        return `${cue.number}\n${times.join(' --> ')}\n${cueText(cue)}\n`;
      })
      .join('\n'),
  warnings(cues) {
    const misread = misreadInSrt(cues).slice(0, 5);
    if (misread.length === 0) return [];
    const places = `${misread.length > 1 ? 'lines' : 'line'} ${misread.join(', ')}`;
    return [`SRT cannot escape < or {, so players may read them as tags: ${places}`];
  },
};

const tag = '</?(?:b|i|u|s|font|br)(?:\\s[^<>\\n]*)?/?>';
/** Codes of SubStation Alpha such as `{\an8}`. */
const code = '\\{\\\\[^{}\\n]*\\}';
const codes = new RegExp(code, 'g');
const tagInText = new RegExp(`(${tag})`, 'i');
const tagsAndCodes = new RegExp(`(${tag}|${code})`, 'i');

/** SRT has only a few tags, and neither entities nor comments. */
function textTokens(source: string): Token[] {
  return source.split(tagInText).flatMap((part, index): Token[] => {
    if (part === '') return [];
    if (index % 2 === 0) return [{ kind: 'text', text: part }];
    const name = /[a-z]+/i.exec(part)?.[0].toLowerCase() ?? '';
    return [{ kind: part.startsWith('</') ? 'close' : 'open', name }];
  });
}

const number = /^\s*\d{1,15}\s*$/;

/** Reads like players do: all rows between two rows with times are text, except a number. */
function readRows(rows: readonly string[], readText: ReadText): FileContent {
  const starts = rows.flatMap((_, index) => (isEntryStart(rows, index) ? [index] : []));
  const problems: FileProblem[] = [];
  const isNumbered = starts.map((at) => number.test(rows[at - 1] ?? ''));
  const opening = rows.slice(0, (starts[0] ?? 0) - (isNumbered[0] ? 1 : 0));
  const unexpected = opening.findIndex((row) => row.trim() !== '');
  if (unexpected >= 0) {
    problems.push({ row: unexpected + 1, message: 'text before the first timing line' });
  }
  const lines = starts.map((at, index): Line => {
    const next = starts[index + 1] ?? rows.length;
    const end = isNumbered[index + 1] ? next - 1 : next;
    const { start, stop, arrow } = splitTiming(rows[at] ?? '');
    const message = 'the arrow must be -->; players show this line as text';
    if (arrow !== '-->') problems.push({ row: at + 1, message, fixable: true });
    else for (const one of arrowProblems(rows[at] ?? '')) problems.push({ row: at + 1, ...one });
    const first = isNumbered[index] ? at - 1 : at;
    if (index > 0 && (rows[first - 1] ?? '').trim() !== '') {
      problems.push({ row: first + 1, message: 'no empty line before this cue' });
    }
    const text = rows.slice(at + 1, end).join('\n');
    const { spans, problems: tagProblems, closable } = readText(text);
    return {
      place: at + (isNumbered[index] ? 0 : 1),
      number: isNumbered[index] ? Number(rows[at - 1]) : undefined,
      start: readTimecode(start),
      stop: readTimecode(stop),
      spans,
      tagProblems,
      closable,
      rows: { timing: at, end },
    };
  });
  return { lines, problems };
}

/** Below a number that starts an entry, any row with an arrow is a timing row, however wrong. */
function isEntryStart(rows: readonly string[], at: number): boolean {
  const row = rows[at] ?? '';
  if (timingRow.test(row)) return true;
  const isAfterNumber = number.test(rows[at - 1] ?? '') && (rows[at - 2] ?? '').trim() === '';
  return isAfterNumber && row.includes('-->');
}

const arrow = '[-–—=]+>';
/** A row with two times, even wrong ones. An arrow alone may be text. */
const timingRow = new RegExp(
  `^\\s*[-−]?\\d+(?::\\d\\S*\\s*-->|(?:[:;.,]\\d+){3,}\\s*${arrow}\\s*[-−]?\\d)`,
);
/** Tried once for each run of dashes, and not for each dash. */
const firstArrow = new RegExp(`(?<![-–—=])${arrow}`);

function splitTiming(row: string) {
  const { 0: found = '', index = 0 } = firstArrow.exec(row) ?? {};
  const [stop = ''] = /^\S*/.exec(row.slice(index + found.length).trimStart()) ?? [];
  return { start: row.slice(0, index).trim(), stop, arrow: found };
}

const padColumns = ['left', undefined, 'right'] as const;
const padRows = [undefined, 'middle', 'top'] as const;
function cueText({ spans, placement: { vertical, horizontal } }: Cue): string {
  const key = padRows.indexOf(vertical) * 3 + padColumns.indexOf(horizontal) + 1;
  const place = vertical || horizontal ? `{\\an${key}}` : '';
  return place + taggedText(spans, (span) => plainText([span]));
}

/** Tags, also `<1>` and `< b>` for ffmpeg; codes of SubStation Alpha and MicroDVD. SRT has no escapes. */
const tagLike = /<[a-z!/?]|<\w*(?:\s[^<>]*)?>|\{[^{}\n]*\\|\{[cfopsy]:|\\[nh]/i;

export const misreadInSrt = (cues: readonly Cue[]): number[] =>
  cues.filter(({ spans }) => isMisread(plainText(spans))).map(({ number: own }) => own);

const isMisread = (text: string) =>
  tagLike.test(text) || (text.includes('>') && text.split('\n').some((row) => timingRow.test(row)));
