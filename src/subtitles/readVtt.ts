import type { FileProblem, Line } from './lines.ts';
import { readVttText } from './markup.ts';
import { fromVttSettings } from './placement.ts';
import { readTimecode, type Timecode } from './timecode.ts';

const timing = /^\s*(\S*)\s*-->\s*(\S*)(.*)$/;
const notCues = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

interface Read {
  lines: Line[];
  problems: FileProblem[];
}

/** WebVTT: blocks between empty lines; comments, styles and regions are not cues. */
export function readVtt(rows: readonly string[]): Read {
  const lines: Line[] = [];
  const problems: FileProblem[] = [];
  for (const { row, content } of blocksOf(rows)) {
    const isHeader = row === 1;
    const at = content.findIndex((text) => text.includes('-->'));
    if (isHeader || (notCues.test(content[0] ?? '') && at !== 0)) continue;
    if (at < 0 || at > 1) {
      problems.push({ row, message: 'a block without a line that says from when until when' });
      continue;
    }
    lines.push(cueOf(content, at, row));
  }
  return { lines, problems };
}

function cueOf(content: readonly string[], at: number, row: number): Line {
  const [, start, stop, settings = ''] = timing.exec(content[at] ?? '') ?? [];
  const { spans, problems } = readVttText(content.slice(at + 1).join('\n'));
  const name = at === 1 ? (content[0] ?? '') : '';
  return {
    place: row,
    ...(/^\d{1,15}$/.test(name.trim()) ? { number: Number(name) } : {}),
    start: vttTimecode(start),
    stop: vttTimecode(stop),
    spans,
    tagProblems: problems,
    placement: fromVttSettings(settings),
  };
}

/** Hours may be left out, and the dot is as it should be. */
function vttTimecode(written: string | undefined): Timecode {
  const isShort = /^\d{2}:\d{2}[,.]\d+$/.test(written ?? '');
  const { hasDot, ...timecode } = readTimecode(isShort ? `00:${written}` : written);
  if (hasDot || timecode.problem !== undefined) return timecode;
  return { ...timecode, problem: 'has a comma where WebVTT has a dot' };
}

function blocksOf(rows: readonly string[]): { row: number; content: string[] }[] {
  const blocks: { row: number; content: string[] }[] = [];
  let isOpen = false;
  for (const [index, text] of rows.entries()) {
    if (text === '') isOpen = false;
    else if (isOpen) blocks.at(-1)?.content.push(text);
    else {
      blocks.push({ row: index + 1, content: [text] });
      isOpen = true;
    }
  }
  return blocks;
}
