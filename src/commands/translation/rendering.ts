import type { Context } from '../../context.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { pretty } from '../../json/text.ts';
import { type Cue, cuesOf } from '../../subtitles/cues.ts';
import {
  exactLines,
  inOrder,
  type Line,
  movedWarning,
  readLines,
  type Subtitles,
  type Which,
} from '../../subtitles/lines.ts';
import { printText } from '../../subtitles/text.ts';
import {
  misreadInSrt,
  printCsv,
  printSrt,
  printVtt,
  reordersInVtt,
} from '../../subtitles/writeFile.ts';
import type { View } from '../../terminal/view.ts';
import type { ExportFormat } from './export.ts';
import type { Asked } from './source.ts';

interface Rendering {
  which: Which;
  skipsBadTimes: boolean;
  /** Else it is for standard output. */
  isForFile: boolean;
}

type Render = (id: string, record: ServiceRecord, format: ExportFormat) => Promise<string>;

/** Makes a file's text of a work request, and says what the reader of the file should know. */
export function rendering(context: Context, options: Rendering): Render {
  const { which, skipsBadTimes, isForFile } = options;
  const warn = (text: string) => context.note(`warning: ${text}`);
  return async (id, record, format) => {
    const subtitles = await readLines(id, record.value, which);
    tellGaps(id, subtitles, warn);
    if (format === 'srt' || format === 'vtt') {
      const { cues, warnings } = cuesOf(subtitles.lines, { name: id, skipsBadTimes });
      for (const warning of warnings) warn(warning);
      return format === 'srt' ? asSrt(id, cues, warn) : asVtt(id, cues, warn);
    }
    const { lines, moved } = inOrder(subtitles.lines);
    if (moved) warn(movedWarning(id));
    if (format === 'txt') return printText(lines);
    if (format === 'json') return asJson(lines, record, which);
    const isTerminal = !isForFile && context.streams.stdout.isTerminal;
    return printCsv(lines, exactLines(record.text, which), {
      raw: context.flags.csvRaw,
      isTerminal,
    });
  };
}

type Warn = (text: string) => void;

/** What is in the record and not in the file. */
function tellGaps(id: string, { lines, unclear, printLines }: Subtitles, warn: Warn): void {
  if (lines.length === 0) {
    const others = printLines > 0 ? ` (its printLines, ${printLines}, are not subtitles)` : '';
    warn(`${id} has no lines${others}`);
  }
  if (unclear === 0) return;
  const those = unclear === 1 ? '1 line has' : `${unclear} lines have`;
  warn(`${id}: ${those} "split" or "merged", which is not documented: exported as they stand`);
}

function asSrt(id: string, cues: readonly Cue[], warn: Warn): string {
  const misread = misreadInSrt(cues);
  if (misread.length > 0) {
    const numbers = misread.slice(0, 5).join(', ');
    warn(`${id}: SRT cannot say that < or { is text, which players may take for a tag: ${numbers}`);
  }
  return printSrt(cues);
}

function asVtt(id: string, cues: readonly Cue[], warn: Warn): string {
  if (reordersInVtt(cues)) warn(`${id}: WebVTT wants cues by time, so they are sorted by it`);
  return printVtt(cues);
}

/** As the service has them, field by field and digit by digit. */
function asJson(lines: readonly Line[], { text }: ServiceRecord, which: Which): string {
  const exact = exactLines(text, which);
  return `${pretty(`[${lines.map(({ place }) => exact[place - 1] ?? '{}').join(',')}]`)}\n`;
}

const lineView: View = {
  columns: [
    { title: 'Number', path: 'number', kind: 'number' },
    { title: 'Start', path: 'startTime', kind: 'id' },
    { title: 'Stop', path: 'stopTime', kind: 'id' },
    { title: 'Text', path: 'text', importance: 1 },
  ],
};

/** The lines as records of their own, in whichever form records are printed. */
export async function printLines(
  context: Context,
  { id, record }: Asked,
  which: Which,
): Promise<void> {
  const { lines, moved } = inOrder((await readLines(id, record.value, which)).lines);
  if (moved) context.note(`warning: ${movedWarning(id)}`);
  const exact = exactLines(record.text, which);
  const records = lines.map(({ place }): ServiceRecord => {
    const text = exact[place - 1] ?? '{}';
    return new ServiceRecord(JSON.parse(text), text);
  });
  await context.printer.records(records, lineView);
}
