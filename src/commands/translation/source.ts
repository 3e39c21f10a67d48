import { readFileSync } from 'node:fs';
import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type FileProblem, type Line, readLines, type Which } from '../../subtitles/lines.ts';
import { readAll } from '../../terminal/streams.ts';
import type { Shown } from '../../terminal/view.ts';
import { type Input, textOption } from '../command.ts';

/** Lines, and where they come from. */
export interface Source {
  /** As it was typed. */
  name: string;
  isFile: boolean;
  /** Of a file. */
  format?: 'srt' | 'vtt';
  lines: readonly Line[];
  language?: string;
  /** What is wrong with a file beside its lines. */
  problems: readonly FileProblem[];
  /** The work request, where it is one. */
  record?: Shown;
}

export const whichOf = (input: Input): Which =>
  input.options.graphics ? 'graphicsTranslation' : 'translation';

/** An id has no slash and does not end like a subtitle file: what does is one. */
export const isFile = (word: string) =>
  word === '-' || /[/\\]/.test(word) || /\.(?:srt|vtt)$/i.test(word);

export async function readSource(context: Context, input: Input, word: string): Promise<Source> {
  if (isFile(word)) return readFile(context, word, textOption(input, 'encoding'));
  return readRequest(context, input, word);
}

export async function readRequest(
  context: Context,
  input: Input,
  id: string,
  /** A write depends on it. */
  forWrite = false,
): Promise<Source> {
  const client = await context.client();
  const record = await client.call(endpoints.workRequestGet, { id, forWrite });
  const { lines, language } = await readLines(id, record.value, whichOf(input));
  return { name: id, isFile: false, lines, language, problems: [], record };
}

async function readFile(context: Context, file: string, encoding?: string): Promise<Source> {
  const name = file === '-' ? 'standard input' : file;
  const bytes = file === '-' ? await readAll(context.streams.stdin) : readBytes(file);
  const { readSubtitles } = await import('../../subtitles/readFile.ts');
  const { interruptible } = context.world;
  const subtitles = interruptible(() => readSubtitles(bytes, name, encoding));
  return { name, isFile: true, ...subtitles };
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
