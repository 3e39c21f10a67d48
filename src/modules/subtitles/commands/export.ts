import path from 'node:path';
import type { Command } from '../../../core/commands/command.ts';
import { readOutputFile } from '../../../core/commands/globals.ts';
import { MarError, usageError } from '../../../core/errors.ts';
import { type Input, option, stringOption } from '../../../core/input.ts';
import { listResult } from '../../../core/output/result.ts';
import type { Column } from '../../../core/output/viewType.ts';
import { distinctIds } from '../../../core/reads/getRecords.ts';
import type { Context } from '../../../core/session/context.ts';
import * as registry from '../formats/registry.ts';
import { lineRecords, printSubtitles } from '../print.ts';
import type { Subtitles } from '../subtitles.ts';
import { checkTemplate, exportFiles, hasPlaceholder, placeholderList } from './exportFiles.ts';
import {
  chosenFrameRate,
  collector,
  fpsOption,
  graphicsOption,
  readEach,
  readRequest,
  recordFlags,
  rememberRequests,
  shownText,
} from './source.ts';

const exportNotes = registry.formats.flatMap(({ exportNote }) => exportNote ?? []).join(' ');
const withFrameRate = registry.formats.filter(({ declaresFrameRate }) => declaresFrameRate);

export const command: Command = {
  isPaged: true,
  summary: "Export a work request's translation as subtitles",
  details: `${registry.formatTitles('and')} keep bold, italics and underlines. ${exportNotes}`,
  arguments: [
    {
      name: 'id',
      summary: 'work request ids; - reads them from standard input, one per line',
      many: true,
      completes: { idOf: 'WorkRequest' },
    },
  ],
  options: [
    graphicsOption,
    option('--format <format>', 'format to write', {
      choices: [...registry.exportFormats, ...registry.profileNames],
      excludes: recordFlags,
      default: `from -o or the ending of -O; ${registry.defaultFormat.name} without both`,
    }),
    option('-O, --output <file>', `file to write; may contain ${placeholderList}`, {
      default: 'standard output',
      excludes: ['--columns', '--jq', '--jq-slurp', '--jsonl'],
      completes: 'file',
    }),
    {
      ...fpsOption,
      summary: `frame rate to declare in a ${registry.formatTitles('or', withFrameRate)} file`,
      default: 'the setting fps, else none',
    },
    option('--skip-bad-times', 'leave out lines with invalid times; csv and json keep them'),
  ],
  examples: {
    'Print it as SRT': 'mar translation export wr-2001',
    'Write it to a WebVTT file': 'mar translation export wr-2001 -O trailer.vtt',
    'Write several, each to its own file':
      "mar translation export wr-2001 wr-2002 -O '{id}.{language}.srt'",
  },
  async *run(context, input) {
    const { session, reporter, world } = context;
    const file = readOutputFile(stringOption(input, 'output'));
    const format = chosenFormat(context, input, file);
    checkDestination(file, input.arguments);
    const { csvRaw: raw } = context.flags;
    const options = {
      skipsBadTimes: input.options.skipBadTimes === true,
      frameRate: chosenFrameRate(session, input),
      warn: (message: string) => reporter.warn('subtitles', message),
    };
    const printed = (subtitles: Subtitles, isTerminal = false) =>
      printSubtitles(subtitles, format, { ...options, csv: { raw, isTerminal } });

    const failures: MarError[] = [];
    const used: Subtitles[] = [];
    const files = file === undefined ? undefined : exportFiles(context, file);
    const read = (id: string) => readRequest(session, input, id);
    const ids = await distinctIds(context, input);
    for await (const subtitles of readEach(session, ids, read, failures)) {
      used.push(subtitles);
      try {
        if (format === 'records') {
          yield listResult([lineRecords(subtitles, options.warn)], { columns: lineColumns });
        } else if (files) files.add(subtitles, printed(subtitles));
        else yield shownText((isTerminal) => printed(subtitles, isTerminal));
      } catch (error) {
        collector(failures)(error);
      }
    }
    const written = (await files?.write(failures)) ?? [];
    if (world.streams.stderr.isTerminal) {
      for (const name of written) reporter.reportOnce(`Wrote ${name}`);
    }
    await rememberRequests(context, used);
    if (failures.length > 0) throw MarError.together(failures);
  },
};

function checkDestination(file: string | undefined, ids: readonly string[]): void {
  if (file !== undefined) checkTemplate(file);
  const isOne = new Set(ids).size === 1 && ids[0] !== '-';
  if (isOne || (file !== undefined && hasPlaceholder(file))) return;
  throw usageError(
    'several work requests need one file each',
    "Use a pattern for the file names: -O '{id}.{language}.srt'",
  );
}

/** `records` if an output flag such as `--jq` asks to print the lines. */
function chosenFormat({ flags }: Context, input: Input, file?: string): string {
  const format = stringOption(input, 'format');
  const { format: output, jq, columns } = flags;
  const isPrinted = (output ?? jq ?? columns) !== undefined;
  if (format !== undefined) return format;
  if (output === 'csv' && !jq && !columns) return 'csv';
  if (file === undefined) return isPrinted ? 'records' : registry.defaultFormat.name;
  if (output === 'json') return 'json';
  if (isPrinted) {
    throw usageError(
      `-O cannot be used with -o ${output}`,
      'Use --format to choose the format of the file.',
      { flag: '-O', value: file },
    );
  }
  const extension = path.extname(file).slice(1).toLowerCase();
  const found =
    registry.formatNamed(file)?.name ?? registry.exportFormats.find((one) => one === extension);
  if (found !== undefined) return found;
  throw usageError(
    `-O ${file}: unknown format`,
    `End the name in ${registry.exportFormats.map((one) => `.${one}`).join(', ')}, or add --format ${registry.defaultFormat.name}`,
    { flag: '-O', value: file },
  );
}

const lineColumns: readonly Column[] = [
  { title: 'Number', path: 'number', kind: 'number' },
  { title: 'Start', path: 'startTime', kind: 'id' },
  { title: 'Stop', path: 'stopTime', kind: 'id' },
  { title: 'Text', path: 'text', importance: 1 },
];
