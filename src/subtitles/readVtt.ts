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

/**
 * WebVTT: blocks between empty lines; comments, styles and regions are not cues. As in browsers a cue
 * begins at its times, whether there is an empty line or not.
 */
export function readVtt(rows: readonly string[]): Read {
  const lines: Line[] = [];
  const problems: FileProblem[] = [];
  for (const { row, content, isTight } of blocksOf(rows)) {
    const at = content.findIndex(hasArrow);
    if (isTight) problems.push({ row, message: 'no empty line before the cue' });
    if (at >= 0) lines.push(cueOf(content, at, row));
    else if (row > 1 && !notCues.test(content[0] ?? '')) {
      problems.push({ row, message: 'a block without a line that says from when until when' });
    }
  }
  return { lines, problems };
}

const hasArrow = (text: string) => text.includes('-->');

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
  const { hasDot, ...timecode } = readTimecode(isShort ? `00:${written}` : written, '.');
  if (hasDot || timecode.problem !== undefined) return timecode;
  return { ...timecode, problem: 'has a comma where WebVTT has a dot' };
}

interface Block {
  row: number;
  content: string[];
  /** It follows the block before it without an empty line. */
  isTight: boolean;
}

function blocksOf(rows: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, text] of rows.entries()) {
    if (text === '') open = undefined;
    else if (open && !(hasArrow(text) && isComplete(open))) open.content.push(text);
    else {
      open = { row: index + 1, content: [text], isTight: open !== undefined };
      blocks.push(open);
    }
  }
  return blocks;
}

/** Whether times cannot belong to it: a cue has them once, after its name at most. */
const isComplete = ({ row, content }: Block) =>
  row === 1 || content.length > 1 || content.some(hasArrow);
