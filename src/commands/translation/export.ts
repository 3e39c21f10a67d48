import { endpoints } from '../../api/endpoints.ts';
import { inOrder as inTurn } from '../../client/inOrder.ts';
import { pathSegment } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { checkTemplate, hasPlaceholder } from '../../subtitles/names.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import { type Input, textOption } from '../command.ts';
import { idsOf, usualConcurrency } from '../verbs/get.ts';
import { remember } from '../verbs/remember.ts';
import { type Asked, Files } from './files.ts';
import { exportFormat } from './formats.ts';
import { printLines } from './printed.ts';
import { rendering } from './rendering.ts';
import { whichOf } from './source.ts';

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
  const concurrency = context.settings.concurrency ?? usualConcurrency;
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
