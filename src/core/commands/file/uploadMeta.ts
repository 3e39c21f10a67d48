import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import mime from 'mime';
import { fieldError, MarError, systemCode, usageError } from '../../errors.ts';
import { filesIn, isFolder } from '../../files/container.ts';
import { isCutOff } from '../../files/mediaFile.ts';
import { readReason } from '../../files/systemReason.ts';
import { type Input, option, stringOption } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import { fromPlain, type JsonObject } from '../../json/value.ts';
import { Progress, type ProgressOptions, shareParts } from '../../output/progress.ts';
import type { Context } from '../../session/context.ts';
import { cellText } from '../../values/cell.ts';
import { settle } from '../../values/concurrency.ts';
import { groupBy } from '../../values/groupBy.ts';
import { readBody } from '../../writes/body.ts';
import { create, createOptions } from '../../writes/createRecord.ts';
import { removeRepeatedTags, withFieldFlags } from '../../writes/fieldFlags.ts';
import { refuseDoubtfulValues } from '../../writes/refuseMistakes.ts';
import type { Command, RowFiles } from '../command.ts';
import { fileView } from './view.ts';

const endpoint = 'fileCreate';

const fieldFlags = {
  studio: { path: 'studio' },
  project: { path: 'project' },
  asset: { path: 'asset' },
  language: { path: 'language' },
  country: { path: 'country' },
  tag: { path: 'tags[+]' },
};

export const command: Command = {
  summary: "Submit a file's metadata",
  details:
    'Sends what describes a file, such as its name, size and MD5. The file itself is not uploaded.',
  endpoint,
  view: fileView,
  arguments: [
    {
      name: 'path',
      summary: 'files on this machine, or folders of them',
      optional: true,
      many: true,
      completes: 'file',
    },
  ],
  options: [
    option('--asset <id>', 'asset id', { completes: { idOf: 'Asset' } }),
    option('--project <id>', 'project id'),
    option('--studio <id>', 'studio id'),
    option('--language <code>', 'three-letter language code, such as fra', {
      completes: 'language',
    }),
    option('--country <code>', 'country code, such as FR or FRA'),
    option('--tag <tag>', 'add a tag (repeatable)', { many: true }),
    ...createOptions('tags[+]=master'),
  ],
  examples: {
    'Submit the metadata of a local file':
      'mar file upload-meta trailer_fra.mov --asset a-1001 --language fra --country FR',
    'Submit the metadata of a folder of media': 'mar file upload-meta media --asset a-1001',
    'Describe a file that is not on this machine':
      'mar file upload-meta --set name=trailer_fra.mov --asset a-1001',
    'Read the metadata from a file': 'mar file upload-meta -f file.yaml',
  },
  rows: {
    fieldFlags: Object.keys(fieldFlags).map((name) => `--${name}`),
    withFieldFlags: async (_, input) => withFieldFlags(input, fieldFlags),
    files: rowFiles,
  },
  async *run(context, input) {
    const record = await readMetadata(context, input);
    yield* create(context, { endpoint, view: fileView, input }, record, {
      describe: (made, show) =>
        `for ${show.cell(valueAt(made, 'name')) || 'a file without a name'}`,
    });
  },
};

/** Measuring a large file takes minutes, so everything else is checked before. */
async function readMetadata(context: Context, input: Input): Promise<JsonObject> {
  const [localPath, ...more] = input.arguments;
  if (more.length > 0) throw usageError('only one file is sent at a time here');
  const local = localPath === undefined ? undefined : openLocalFile(localPath);
  const prepare = (record: JsonObject) => {
    if (local && !record.has('name')) record.set('name', nameOf(local.path));
  };
  const request = { endpoint, input: withFieldFlags(input, fieldFlags), prepare } as const;
  const record = await readBody(context, request, local && new Map());
  if (input.options.tag) removeRepeatedTags(record);
  if (local) {
    await checkBeforeMeasuring(context, input, record);
    setMeasures(record, local, await md5Of(local, context.reporter.progressOptions));
  }
  return record;
}

/** Composed (NFC), because macOS stores é as e and an accent, and others would not find the file. */
const nameOf = (file: string) => path.basename(file).normalize('NFC');

async function checkBeforeMeasuring(context: Context, input: Input, record: JsonObject) {
  await refuseDoubtfulValues(context, { endpoint, input }, record);
  if (!input.options.dryRun) await context.session.identity().token();
}

function setMeasures(record: JsonObject, { path: file, stats }: LocalFile, md5: string): void {
  const type = mime.getType(file);
  // The type is a guess from the file name, so a given type wins.
  if (type && !record.has('mime')) record.set('mime', type);
  for (const [name, value] of Object.entries({ length: stats.size, md5 })) {
    const given = cellText(record.get(name)).toLowerCase();
    if (given !== '' && given !== String(value)) {
      const hint = 'Check that it is the right file, or leave the field out.';
      throw fieldError(name, `${given} is given, but ${file} has ${value}`, { hint });
    }
    record.set(name, fromPlain(value));
  }
}

/** The files of several paths or of a folder, or those that the rows of a batch name. */
async function rowFiles(context: Context, input: Input): Promise<RowFiles | undefined> {
  const { arguments: paths, options } = input;
  const batch = stringOption(input, 'batch');
  const isListed = batch === undefined && (paths.length > 1 || paths.some(isFolder));
  if (context.world.agent || !(isListed || (batch !== undefined && options.measure))) {
    return undefined;
  }
  const measure = measurer(context.reporter.progressOptions);
  /** The rows of a batch name their files by the path from its folder. */
  const folder = batch === undefined ? '' : path.dirname(batch);
  const complete = async (record: JsonObject) => {
    const name = record.get('name');
    if (typeof name !== 'string') throw fieldError('name', 'missing; it names the file to measure');
    const { local, md5 } = await measure(path.resolve(folder, name));
    record.set('name', nameOf(name));
    setMeasures(record, local, md5);
  };
  if (!isListed) return { complete };
  const rows = async () => {
    const flagged = withFieldFlags(input, fieldFlags);
    const record = await readBody(context, { endpoint, input: flagged }, new Map());
    await checkBeforeMeasuring(context, input, record);
    const lines: string[] = [];
    for (const name of listedFiles(context, paths)) {
      // If it cannot be used, its row will say why.
      const { result } = await settle(measure(name));
      context.world.signal.throwIfAborted();
      lines.push(`${JSON.stringify({ name, md5: result?.md5 })}\n`);
    }
    if (lines.length === 0) throw usageError(`${paths.join(', ')}: no files`);
    return lines;
  };
  const [first = ''] = paths;
  const common = isFolder(first) ? first : path.dirname(first);
  return { listed: { name: path.basename(path.resolve(common)), rows }, complete };
}

/** Texts and office documents. Subtitles, PDFs and files of unknown types are media. */
const notMedia = /^text\/(?!vtt)|^application\/(?:json|msword|vnd\.(?:ms-|oasis|openxml))/;

/** Each file once. Those of a folder are without hidden files, and without what is no media. */
function listedFiles({ reporter }: Context, paths: readonly string[]): string[] {
  const found = paths.flatMap((named) =>
    isFolder(named) ? filesIn(named).map((name) => path.join(named, name)) : [named],
  );
  const given = new Set(paths);
  const isMedia = (file: string) => given.has(file) || !notMedia.test(mime.getType(file) ?? '');
  const files = [...groupBy(found, (file) => path.resolve(file)).values()];
  const repeated = files.flatMap(([, ...more]) => more).join(', ');
  if (repeated) reporter.warn('repeated-file', `named more than once, and sent once: ${repeated}`);
  const media = files.filter((same) => same.some(isMedia));
  const others = files.filter((same) => !same.some(isMedia)).map(([file]) => file);
  if (others.length > 0) {
    reporter.warn('not-media', `no media, so left out: ${others.join(', ')}. To send one, name it`);
  }
  return media.flatMap(([file]) => file ?? []);
}

/** Reads each file once. Two with the same content are probably a mistake. */
function measurer(options: ProgressOptions) {
  const found = new Map<string, Promise<{ local: LocalFile; md5: string }>>();
  const firstWith = new Map<string, string>();
  const read = async (file: string) => {
    const local = openLocalFile(file);
    const md5 = await md5Of(local, options);
    const first = firstWith.get(md5);
    if (first !== undefined) throw usageError(`${file} has the same content as ${first}`);
    firstWith.set(md5, file);
    return { local, md5 };
  };
  return (file: string) => {
    const key = path.resolve(file);
    const known = found.get(key) ?? read(file);
    found.set(key, known);
    return known;
  };
}

type LocalFile = ReturnType<typeof openLocalFile>;

function openLocalFile(file: string) {
  let stats: Stats;
  try {
    stats = statSync(file);
    accessSync(file, constants.R_OK);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unreadable(file, error);
    const hint = 'If the file is on another machine, give only its name: --set name=NAME';
    throw usageError(`file ${file} not found`, hint);
  }
  if (stats.isDirectory()) throw usageError(`${file} is a folder`);
  if (!stats.isFile()) throw usageError(`${file} is not a regular file`);
  if (stats.size === 0) throw usageError(`${file} is empty`);
  if (isCutOff(file, stats.size)) {
    throw usageError(`${file} is damaged: its end is missing`, 'Copy or export it again.');
  }
  return { path: file, stats };
}

const unreadable = (file: string, error: unknown) =>
  usageError(`cannot read ${file}: ${readReason(error)}`, undefined, { cause: error });

/** Reads a file once, with progress. Fails if the file changes meanwhile. */
async function md5Of({ path: file, stats }: LocalFile, options: ProgressOptions): Promise<string> {
  const { size, mtimeMs } = stats;
  const { signal } = options;
  const sum = createHash('md5');
  let length = 0;
  const progress = new Progress(options, (elapsedMs) => [
    `MD5 of ${path.basename(file)}`,
    ...(length > 0 ? shareParts(length, size, length / (elapsedMs / 1000)) : []),
  ]);
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20, signal })) {
      sum.update(chunk);
      length += chunk.length;
    }
  } catch (error) {
    throw error instanceof MarError || signal.aborted ? error : unreadable(file, error);
  } finally {
    await progress.end();
  }
  const after = statSync(file, { throwIfNoEntry: false });
  if (after?.mtimeMs !== mtimeMs || after.size !== size || length !== size) {
    const hint = 'Try again when the file is complete.';
    throw usageError(`${file} changed while it was being read`, hint);
  }
  return sum.digest('hex');
}
