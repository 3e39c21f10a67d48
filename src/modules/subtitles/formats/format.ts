import type { Cue, Line } from '../line.ts';
import type { FrameRate } from '../timecode.ts';

/** A mistake in a file that belongs to no cue. */
export interface FileProblem {
  row: number;
  message: string;
  fixable?: true;
}

export interface FileContent {
  lines: readonly Line[];
  problems: readonly FileProblem[];
  language?: string;
  frameRate?: FrameRate;
}

export interface WriteOptions {
  /** Any code that `Intl` knows: `fra`, `fr`, `fr-CA`. */
  language?: string;
  frameRate?: FrameRate;
  /** One of the format's `profiles`; others count as none. */
  profile?: string;
}

/** A subtitle format. Commands, help, Tab and reports know of a format only what is in here. */
export interface SubtitleFormat {
  /** The word for `--format`, and the ending of the files that `mar` writes. */
  name: string;
  title: string;
  /** Words for `--format` that choose a form of the format; its name leaves the choice to `write`. */
  profiles?: readonly string[];
  extensions: readonly string[];
  /**
   * Matches the first characters of a file. A format without it is read from any text: files that no
   * other format recognises are taken for it.
   */
  start?: RegExp;
  /** For the hint about a file that no format recognises: `WebVTT starts with WEBVTT`. */
  recognisedBy: string;
  needsNumbers: boolean;
  /** `fix` changes its text. Its parser has `text`. */
  isFixable?: true;
  /** The frame rate can be written into a file. */
  declaresFrameRate?: true;
  /** The text of help about exported files. */
  exportNote?: string;
  /** The encoding that a file declares. Other formats have only the byte-order mark. */
  declaredEncoding?(bytes: Uint8Array): string | undefined;
  /** Loads what it takes to read a file. */
  parser(): Promise<Parser>;
  write(cues: readonly Cue[], options?: WriteOptions): string;
  /** Warnings about parts of these cues that are lost or changed when they are written. */
  warnings?(cues: readonly Cue[]): readonly string[];
}

export interface Parser {
  read(text: string, name: string): FileContent;
  /** For formats that `fix` changes in their text. */
  text?: TextRules;
}

/** The cues in a file of text, of which `fix` changes only what is wrong. */
export interface TextRules {
  /** Between the seconds and the milliseconds. */
  mark: ',' | '.';
  timing(row: string): { start: string; stop: string; arrow: string };
  /** Matches tags and codes, which stay, in one group. */
  tags: RegExp;
  /** Removes escapes such as `&amp;`, to measure a width. */
  toVisible?(text: string): string;
}

export const fileRows = (text: string) => text.split(/\r\n|\n|\r/);

/** Some players do not find the times of a cue without these spaces. */
export const arrowProblems = (row: string) =>
  /\S-->|-->\S/.test(row) ? [{ message: 'no space around the arrow', fixable: true } as const] : [];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for markup of any kind. */
export const escaped = (text: string) =>
  text.replace(/[&<>]/g, (character) => escapes[character] ?? '');
