import { readFileSync } from 'node:fs';
import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { type FileProblem, type Line, readLines, type Which } from '../../subtitles/lines.ts';
import { fillTemplate } from '../../subtitles/names.ts';
import { writeNamedFile } from '../../subtitles/writeFile.ts';
import { readAll } from '../../terminal/streams.ts';
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
  record?: ServiceRecord;
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

/** A work request that was asked for. */
export interface Asked {
  id: string;
  record: ServiceRecord;
}

/**
 * The files of an export, named by a template. Where two requests may get the same name, none is
 * written before all names are known.
 */
export class Files {
  readonly #template: string;
  readonly #which: Which;
  readonly #owners = new Map<string, string>();
  readonly #waiting: { name: string; text: string }[] = [];
  #hasClash = false;
  readonly written: string[] = [];

  constructor(template: string, which: Which) {
    this.#template = template;
    this.#which = which;
  }

  async add(asked: Asked, text: string): Promise<void> {
    const name = this.#nameFor(asked);
    if (this.#template.includes('{id}')) await this.#write(name, text);
    else this.#waiting.push({ name, text });
  }

  /** Writes those that were held back; one that cannot be written does not keep the others back. */
  async finish(): Promise<MarError[]> {
    const failures: MarError[] = [];
    if (this.#hasClash) return failures;
    for (const { name, text } of this.#waiting) {
      try {
        await this.#write(name, text);
      } catch (error) {
        if (!(error instanceof MarError)) throw error;
        failures.push(error);
      }
    }
    return failures;
  }

  async #write(name: string, text: string): Promise<void> {
    await writeNamedFile(name, text);
    this.written.push(name);
  }

  /** No two may be the same, on systems that know no capitals either. */
  #nameFor({ id, record }: Asked): string {
    const text = (path: string) => {
      const value = valueAt(record.value, path);
      return typeof value === 'string' ? value : '';
    };
    const name = fillTemplate(this.#template, {
      id,
      language: text(`${this.#which}.language`) || text('language'),
      territory: text('territory'),
      asset: text('asset.name'),
      project: text('project.name'),
    });
    const key = name.normalize('NFC').toLowerCase();
    const other = this.#owners.get(key);
    if (other !== undefined) {
      this.#hasClash = true;
      throw usageError(
        `${other} and ${id} would both be written to ${name}`,
        'put {id} into the name after -O',
      );
    }
    this.#owners.set(key, id);
    return name;
  }
}
