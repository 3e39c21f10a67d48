import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync, inflateSync } from 'node:zlib';
import { MarError, usageError } from '../../errors.ts';
import { checkOutputPath } from '../../files/paths.ts';
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
  // Compressed, because they wait until the table above them is known, and a delivery is large.
  const bodies = new Map<Summary, Buffer>();
  const { date } = context.session.clock;
  const { redactor, interruptible, now } = context.world;
  return {
    add(summary: Summary, checked: CheckedSubtitles): void {
      const body = interruptible(() => reportBody(checked, video !== undefined, date));
      bodies.set(summary, deflateSync(body));
    },
    async write(summaries: readonly Summary[], failures: MarError[]): Promise<void> {
      const messages = failures.map(({ message }) => redactor.clean(message));
      const facts = { failures: messages, made: now(), program: `mar ${version}`, video };
      try {
        const bodyOf = (summary: Summary) => inflateSync(bodies.get(summary) ?? '').toString();
        const page = reportPage(summaries, facts, bodyOf);
        await writeNamedFile(file, page, { flag: '--report', value: file });
        context.reporter.reportOnce(`Wrote ${file}`);
      } catch (error) {
        // The findings are printed all the same.
        collector(failures)(error);
      }
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
