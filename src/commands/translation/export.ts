import { endpoints } from '../../api/endpoints.ts';
import { inOrder as inTurn } from '../../client/inOrder.ts';
import { pathSegment } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { replaceFile } from '../../subtitles/destination.ts';
import { checkTemplate, fillTemplate, hasPlaceholder } from '../../subtitles/names.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import type { Shown } from '../../terminal/view.ts';
import { type Input, textOption } from '../command.ts';
import { idsOf, usualConcurrency } from '../verbs/get.ts';
import { remember } from '../verbs/remember.ts';
import { exportFormat } from './formats.ts';
import { printLines } from './printed.ts';
import { rendering } from './rendering.ts';
import { whichOf } from './source.ts';

interface Asked {
  id: string;
  record: Shown;
}

/** Writes the translations of work requests as files, or one of them to standard output. */
export async function exportSubtitles(context: Context, input: Input): Promise<void> {
  const file = fileOf(input);
  const format = exportFormat({
    format: textOption(input, 'format'),
    file,
    flags: context.flags,
  });
  const isOne = input.arguments.length === 1 && input.arguments[0] !== '-';
  checkDestination(file, isOne);
  for (const id of input.arguments) pathSegment(id);
  const render = rendering(context, {
    which: whichOf(input),
    skipsBadTimes: input.options.skipBadTimes === true,
    isForFile: file !== undefined,
  });

  const failures: MarError[] = [];
  const used: Asked[] = [];
  const written = new Map<string, string>();
  for await (const asked of readAll(context, input, failures)) {
    used.push(asked);
    try {
      if (format === 'as printed') await printLines(context, asked.record, whichOf(input));
      else {
        const text = await render(asked.id, asked.record, format);
        if (file === undefined) await show(context, text);
        else await write(context, nameFor(file, asked, written), text);
      }
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      failures.push(error);
    }
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
  const ids = idsOf(input.arguments, context.streams.stdin);
  const concurrency = context.settings.concurrency ?? usualConcurrency;
  for await (const { result, error } of inTurn(ids, concurrency, read)) {
    if (result) yield result;
    else if (error instanceof MarError) failures.push(error);
    else throw error;
  }
}

function fileOf(input: Input): string | undefined {
  const file = textOption(input, 'outputFile');
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

/** The file for a request; no two of them may be the same, on systems that know no capitals either. */
function nameFor(template: string, { id, record }: Asked, written: Map<string, string>): string {
  const text = (path: string) => {
    const value = valueAt(record.value, path);
    return typeof value === 'string' ? value : '';
  };
  const name = fillTemplate(template, {
    id,
    language: text('translation.language') || text('language'),
    territory: text('territory'),
    asset: text('asset.name'),
    project: text('project.name'),
  });
  const key = name.normalize('NFC').toLowerCase();
  const other = written.get(key);
  if (other !== undefined) {
    throw usageError(
      `${id} would be written over ${other}, to ${name}`,
      'put {id} into the name after -O',
    );
  }
  written.set(key, id);
  return name;
}

async function write(context: Context, name: string, text: string): Promise<void> {
  await replaceFile(name, text);
  if (context.streams.stderr.isTerminal) context.note(`wrote ${name}`);
}

async function show(context: Context, text: string): Promise<void> {
  const { stdout } = context.streams;
  await stdout.write(stdout.isTerminal ? sanitiseLines(text).join('\n') : text);
}
