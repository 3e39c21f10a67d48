import path from 'node:path';
import { endpoints } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { checkTemplate, hasPlaceholder } from '../../subtitles/names.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import { defaultConcurrency } from '../../values/defaults.ts';
import { inOrder as inTurn } from '../../values/mapConcurrently.ts';
import type { GlobalFlags } from '../../world.ts';
import { type Input, textOption } from '../command.ts';
import { idsOf } from '../read/get.ts';
import { remember } from '../read/remember.ts';
import { printLines, rendering } from './rendering.ts';
import { type Asked, Files, whichOf } from './source.ts';

/** Writes the translations of work requests as files, or one of them to standard output. */
export async function exportSubtitles(context: Context, input: Input): Promise<void> {
  const file = fileOf(input);
  const format = exportFormat({
    format: textOption(input, 'format'),
    file,
    flags: context.flags,
  });
  const isOne = new Set(input.arguments).size === 1 && input.arguments[0] !== '-';
  checkDestination(file, isOne);
  for (const id of input.arguments) pathSegment(id);
  const which = whichOf(input);
  const render = rendering(context, {
    which,
    skipsBadTimes: input.options.skipBadTimes === true,
    isForFile: file !== undefined,
  });

  const failures: MarError[] = [];
  const used: Asked[] = [];
  const files = file === undefined ? undefined : new Files(file, which);
  for await (const asked of readAll(context, input, failures)) {
    used.push(asked);
    try {
      if (format === 'as printed') await printLines(context, asked, which);
      else {
        const text = await render(asked.id, asked.record, format);
        if (files) await files.add(asked, text);
        else await show(context, text);
      }
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      failures.push(error);
    }
  }
  failures.push(...((await files?.finish()) ?? []));
  if (context.streams.stderr.isTerminal) {
    for (const name of files?.written ?? []) context.note(`wrote ${name}`);
  }
  await remember(context, 'WorkRequest', used);
  if (failures.length > 0) throw MarError.together(failures);
}

/** The requests in the order given; one that fails does not keep the others back. */
async function* readAll(
  context: Context,
  input: Input,
  failures: MarError[],
): AsyncGenerator<Asked> {
  const client = await context.client();
  const read = async (id: string): Promise<Asked> => ({
    id,
    record: await client.call(endpoints.workRequestGet, { id }),
  });
  const ids = distinct(idsOf(input.arguments, context.streams));
  const concurrency = context.settings.concurrency ?? defaultConcurrency.reads;
  for await (const { result, error } of inTurn(ids, concurrency, read)) {
    if (result) yield result;
    else if (error instanceof MarError) failures.push(error);
    else throw error;
  }
}

/** A request that is named twice has one file. */
async function* distinct(ids: AsyncIterable<string>): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const id of ids) {
    if (!seen.has(id)) yield id;
    seen.add(id);
  }
}

function fileOf(input: Input): string | undefined {
  const file = textOption(input, 'outputFile');
  if (file === '')
    throw usageError('-O is empty', 'give the name of a file, or - for standard output');
  return file === '-' ? undefined : file;
}

function checkDestination(file: string | undefined, isOne: boolean): void {
  if (file !== undefined) checkTemplate(file);
  if (isOne || (file !== undefined && hasPlaceholder(file))) return;
  throw usageError(
    'several work requests go into a file each',
    "name the files with -O '{id}.{language}.srt'",
  );
}

async function show(context: Context, text: string): Promise<void> {
  const { stdout } = context.streams;
  await stdout.write(stdout.isTerminal ? sanitiseLines(text).join('\n') : text);
}

export const exportFormats = ['srt', 'vtt', 'txt', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const knownFormat = (word: string | undefined) => exportFormats.find((format) => format === word);

interface ExportRequest {
  format: string | undefined;
  file: string | undefined;
  flags: Pick<GlobalFlags, 'format' | 'jq' | 'columns'>;
}

/** In which form lines are exported; or, where a flag for every command says how, printed so. */
function exportFormat({ format, file, flags }: ExportRequest): ExportFormat | 'as printed' {
  const { format: output, jq, columns } = flags;
  const isPrinted = output !== undefined || jq !== undefined || columns !== undefined;
  if (format !== undefined) {
    if (isPrinted) {
      throw usageError(
        `--format ${format} does not go with --json, -o, --columns and --jq`,
        'these print the lines as the service has them: leave one of them out',
      );
    }
    return knownFormat(format) ?? 'srt';
  }
  if (output === 'csv' && !jq && !columns) return 'csv';
  if (file === undefined) return isPrinted ? 'as printed' : 'srt';
  if (output === 'json' && !jq && !columns) return 'json';
  if (isPrinted) throw usageError(`-O ${file} goes with --format, not with -o, --columns or --jq`);
  const found = knownFormat(path.extname(file).slice(1).toLowerCase());
  if (found) return found;
  throw usageError(
    `-O ${file} does not say which format: its name ends in none that is known`,
    `end it in ${exportFormats.map((one) => `.${one}`).join(', ')}, or add --format srt`,
  );
}
