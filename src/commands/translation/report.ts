import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MarError, usageError } from '../../errors.ts';
import { checkOutputPath } from '../../files/paths.ts';
import { temporaryNameFor } from '../../files/replaceFile.ts';
import { readReason } from '../../files/systemReason.ts';
import { type Input, readOption, stringOption } from '../../input.ts';
import type { Context } from '../../session/context.ts';
import {
  type CheckedSubtitles,
  reportBody,
  reportPage,
  type Summary,
} from '../../subtitles/index.ts';
import { version } from '../../version.ts';
import { writeNamedFile } from './exportFiles.ts';
import { collector } from './source.ts';

/** Checks the flags and names before anything is read. */
export function openReport(context: Context, input: Input, file: string) {
  const files = [...input.arguments, stringOption(input, 'video') ?? '-'];
  const read = files.filter((name) => name !== '-');
  const { outputFile } = context.flags;
  checkOutputPath('--report', file, outputFile === undefined ? read : [...read, outputFile]);
  if (!/\.html?$/i.test(file)) {
    throw usageError(
      `--report ${file}: the report is a page, so its name must end in .html`,
      'For a table, use -o csv or -o xlsx.',
      { flag: '--report', value: file },
    );
  }
  const isEmbedded = input.options.embed === true;
  const video = readOption(input, 'video', (name) => videoUrl(file, name, isEmbedded));
  const bodies = temporaryTexts<Summary>();
  const { date } = context.session.clock;
  const { redactor, interruptible, now } = context.world;
  return {
    add: (summary: Summary, checked: CheckedSubtitles) =>
      bodies.add(
        summary,
        interruptible(() => reportBody(checked, video !== undefined, date)),
      ),
    async write(summaries: readonly Summary[], failures: MarError[]): Promise<void> {
      const messages = failures.map(({ message }) => redactor.clean(message));
      const facts = { failures: messages, made: now(), program: `mar ${version}`, video };
      try {
        const page = reportPage(summaries, facts, bodies.read);
        await writeNamedFile(file, page, { flag: '--report', value: file });
        context.reporter.reportOnce(`Wrote ${file}`);
      } catch (error) {
        // The findings are printed all the same.
        collector(failures)(error);
      }
    },
    close: bodies.close,
  };
}

/** Keeps texts in a file, because the table above them is known last, and a delivery is large. */
function temporaryTexts<Key>() {
  const file = temporaryNameFor(path.join(tmpdir(), 'report'));
  const places = new Map<Key, { position: number; length: number }>();
  let handle: FileHandle | undefined;
  let position = 0;
  return {
    async add(key: Key, text: string): Promise<void> {
      handle ??= await open(file, 'wx+', 0o600);
      const bytes = Buffer.from(text);
      await handle.writeFile(bytes);
      places.set(key, { position, length: bytes.length });
      position += bytes.length;
    },
    async read(key: Key): Promise<string> {
      const place = places.get(key);
      const buffer = Buffer.alloc(place?.length ?? 0);
      await handle?.read({ ...place, buffer });
      return buffer.toString();
    },
    async close(): Promise<void> {
      await handle?.close();
      await rm(file, { force: true });
    },
  };
}

const maxMegabytes = 50;

function videoUrl(page: string, file: string, isEmbedded: boolean): string {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw usageError(`--video ${file} is not a file`);
    if (found.size === 0) throw usageError(`--video ${file} is empty`);
    accessSync(file, constants.R_OK);
    if (!isEmbedded) return relativeUrl(page, file);
    if (found.size > maxMegabytes * 1024 * 1024) {
      throw usageError(
        `${file} is larger than ${maxMegabytes} MB, the limit of --embed`,
        'Leave --embed out to play the file from where it is, or embed a smaller version.',
        { flag: '--embed' },
      );
    }
    // Browsers recognise other formats by their content.
    const type = /\.webm$/i.test(file) ? 'video/webm' : 'video/mp4';
    return `data:${type};base64,${readFileSync(file, 'base64')}`;
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw usageError(`cannot read the video ${file}: ${readReason(error)}`);
  }
}

/** Relative, so that the page and the video can be moved together. On Windows, drives have no relation. */
function relativeUrl(page: string, file: string): string {
  const way = path.relative(path.dirname(path.resolve(page)), path.resolve(file));
  if (path.isAbsolute(way)) return pathToFileURL(way).href;
  return way.split(path.sep).map(encodeURIComponent).join('/');
}
