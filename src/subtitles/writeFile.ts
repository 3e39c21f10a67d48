import { realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MarError, systemCode } from '../errors.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { splitObject } from '../json/text.ts';
import { type CsvOptions, csvRow } from '../terminal/separatedValues.ts';
import type { Cue } from './cues.ts';
import type { Line } from './lines.ts';
import { numberPadKey, vttSettings } from './placement.ts';
import { type Span, textOf } from './spans.ts';
import { tagged } from './tagged.ts';
import { formatTimecode, isTimingRow } from './timecode.ts';

const usualKey = 2;

/** SubRip: numbered entries, each ended by an empty line. */
export function printSrt(cues: readonly Cue[]): string {
  return cues.map((cue) => `${cue.number}\n${times(cue)}\n${srtText(cue)}\n`).join('\n');
}

const times = ({ start, stop }: Cue) =>
  `${formatTimecode(start, ',')} --> ${formatTimecode(stop, ',')}`;

function srtText({ spans, placement }: Cue): string {
  const key = numberPadKey(placement);
  const place = key === usualKey ? '' : `{\\an${key}}`;
  return place + tagged(spans, writtenText);
}

const writtenText = (span: Span) => textOf([span]);

/**
 * SRT escapes nothing, so that players take these characters for something else than text: tags, and
 * what SubStation Alpha and MicroDVD put into braces or behind a backslash.
 */
const tagLike = /<[a-z!/?]|\{[^{}\n]*\\|\{[cfopsy]:|\\[nh]/i;

/** The numbers of cues whose text a player of SRT takes for tags or for times. */
export const misreadInSrt = (cues: readonly Cue[]): number[] =>
  cues.filter(({ spans }) => isMisread(textOf(spans))).map(({ number }) => number);

const isMisread = (text: string) =>
  tagLike.test(text) || (text.includes('>') && text.split('\n').some(isTimingRow));

/** WebVTT. Its cues are in the order of their times, as it demands; their numbers are their names. */
export function printVtt(cues: readonly Cue[]): string {
  const ordered = cues.toSorted((a, b) => a.start - b.start);
  return ['WEBVTT\n', ...ordered.map(block)].join('\n');
}

/** Whether WebVTT puts them into another order. */
export const reordersInVtt = (cues: readonly Cue[]): boolean =>
  cues.some(({ start }, index) => start < (cues[index - 1]?.start ?? 0));

function block({ number, start, stop, spans, placement }: Cue): string {
  const times = `${formatTimecode(start, '.')} --> ${formatTimecode(stop, '.')}`;
  return `${number}\n${times}${vttSettings(placement)}\n${tagged(spans, written)}\n`;
}

function written({ text, ruby }: Span): string {
  if (ruby === undefined) return escaped(text);
  return `<ruby>${escaped(text)}<rt>${escaped(ruby)}</rt></ruby>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? '');

const before = ['number', 'startTime', 'stopTime'];
const after = ['alignment', 'textAlign', 'split', 'merged', 'range', 'auto', 'custom', 'machine'];

/**
 * A table of all that is known of the lines: times as they were written, `text` for reading, `html`
 * as the service has it.
 */
export function printCsv(
  lines: readonly Line[],
  /** The texts of their records. */
  exact: readonly string[],
  options: CsvOptions,
): string {
  const header = csvRow([...before, 'text', 'html', ...after], options);
  const rows = lines.map(({ place, spans }) => {
    const fields = splitObject(exact[place - 1] ?? '');
    const cells = (names: readonly string[]) => names.map((name) => cell(fields, name));
    return csvRow(
      [...cells(before), textOf(spans), cell(fields, 'text'), ...cells(after)],
      options,
    );
  });
  return header + rows.join('');
}

function cell(fields: ReadonlyMap<string, string>, name: string): string {
  const source = fields.get(name);
  if (source === undefined || source === 'null') return '';
  return source.startsWith('"') ? JSON.parse(source) : source;
}

/** Writes a file that the user named. If it fails, an earlier file of that name stays unchanged. */
export async function writeNamedFile(file: string, text: string): Promise<void> {
  try {
    const target = await realpath(file).catch(() => file);
    const there = await stat(target).catch(() => undefined);
    // A device or a pipe is written to, not replaced.
    if (there && !there.isFile()) await writeFile(target, text);
    else await replaceFile(target, text, { mode: there ? there.mode & 0o777 : 0o666 });
  } catch (error) {
    throw new MarError('usage', `cannot write ${file}: ${reasonOf(error, file)}`, { cause: error });
  }
}

/** The system's own words name the unfinished file, which nobody knows of. */
function reasonOf(error: unknown, file: string): string {
  const code = systemCode(error);
  if (code === 'ENOENT') return `there is no folder ${path.dirname(file)}`;
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return `${path.dirname(file)} cannot be written to`;
  if (code === 'ENAMETOOLONG') return 'the name is too long';
  return (error as Error).message.replace(/, [a-z]+ '.*$/s, '');
}
