import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import mime from 'mime';
import { MarError, systemCode, usageError } from '../../errors.ts';
import { readReason } from '../../files/systemReason.ts';
import { type Input, option } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import { fromPlain, type JsonObject } from '../../json/value.ts';
import { Progress, type ProgressOptions, shareParts } from '../../output/progress.ts';
import type { Context } from '../../session/context.ts';
import { formatSeconds } from '../../values/duration.ts';
import {
  create,
  createOptions,
  readBody,
  refuseDoubtfulValues,
  removeRepeatedTags,
  withFieldFlags,
} from '../../writes/index.ts';
import type { Command } from '../command.ts';
import { fileView } from './view.ts';

const endpoint = 'fileCreate';

export const command: Command = {
  summary: "Submit a file's metadata",
  details:
    'Sends metadata only: the file itself is not uploaded. The field "name" is the name of the file, unless -f or --set gives another. --measure reads the file once and sends its type, size and MD5 as mime, length and md5. Language codes (ISO 639) and country codes (ISO 3166-1) are checked before anything is sent.',
  endpoint,
  view: fileView,
  arguments: [{ name: 'path', summary: 'file on this machine', optional: true, completes: 'file' }],
  options: [
    option('--asset <id>', 'asset id', { completes: { idOf: 'Asset' } }),
    option('--project <id>', 'project id'),
    option('--studio <id>', 'studio id'),
    option('--language <code>', 'three-letter language code, such as fra', {
      completes: 'language',
    }),
    option('--country <code>', 'country code, such as FR or FRA'),
    option('--tag <tag>', 'add a tag (repeatable)', { many: true }),
    option('--measure', 'also send type, size and MD5 of the file'),
    ...createOptions('tags[+]=master'),
  ],
  examples: {
    'Submit the metadata of a local file':
      'mar file upload-meta trailer_fra.mov --asset a-1001 --language fra --country FR',
    'Include its type, size and MD5':
      'mar file upload-meta trailer_fra.mov --asset a-1001 --tag master --measure',
    'Describe a file that is not on this machine':
      'mar file upload-meta --set name=trailer_fra.mov --asset a-1001',
    'Read the metadata from a file': 'mar file upload-meta -f file.yaml',
  },
  async *run(context, input) {
    const record = await readMetadata(context, input);
    yield* create(context, { endpoint, view: fileView, input }, record, {
      describe: (made, show) =>
        `for ${show.cell(valueAt(made, 'name')) || 'a file without a name'}`,
    });
  },
};

const fieldFlags = {
  studio: { path: 'studio' },
  project: { path: 'project' },
  asset: { path: 'asset' },
  language: { path: 'language' },
  country: { path: 'country' },
  tag: { path: 'tags[+]' },
};

/** Measuring a large file takes minutes, so everything else is checked before. */
async function readMetadata(context: Context, input: Input): Promise<JsonObject> {
  const [localPath] = input.arguments;
  if (localPath === undefined && input.options.measure) {
    throw usageError('--measure needs the PATH of the file', { flag: '--measure' });
  }
  const local = localPath === undefined ? undefined : openLocalFile(localPath);
  const prepare = (record: JsonObject) => {
    if (!local || record.has('name')) return;
    // Composed (NFC), because macOS stores é as e and an accent, and others would not find the file.
    record.set('name', path.basename(local.path).normalize('NFC'));
  };
  const request = { endpoint, input: withFieldFlags(input, fieldFlags), prepare } as const;
  const record = await readBody(context, request, local && new Map());
  if (input.options.tag) removeRepeatedTags(record);
  if (local && input.options.measure) {
    await refuseDoubtfulValues(context, { endpoint, input }, record);
    if (!input.options.dryRun) await context.session.identity().token();
    const md5 = await md5Of(local, context.reporter.progressOptions);
    const type = mime.getType(local.path);
    // The type is a guess from the file name, so a given type wins.
    if (type && !record.has('mime')) record.set('mime', type);
    record.set('length', fromPlain(local.stats.size));
    record.set('md5', md5);
  }
  return record;
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
  if (stats.isDirectory()) throw usageError(`${file} is a folder`, 'Give the path of one file.');
  if (!stats.isFile()) throw usageError(`${file} is not a regular file`);
  return { path: file, stats };
}

const unreadable = (file: string, error: unknown) =>
  usageError(`cannot read ${file}: ${readReason(error)}`, undefined, { cause: error });

const chunkBytes = 1024 * 1024;

/** Reads a file once, with progress. Fails if the file changes meanwhile. */
async function md5Of({ path: file, stats }: LocalFile, options: ProgressOptions): Promise<string> {
  const { size, mtimeMs } = stats;
  const { signal } = options;
  const sum = createHash('md5');
  let length = 0;
  const progress = new Progress(options, (elapsedMs) => partsOf(length, size, elapsedMs));
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes, signal })) {
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

function partsOf(done: number, size: number, elapsedMs: number): string[] {
  if (done === 0) return ['reading the file', formatSeconds(elapsedMs / 1000)];
  const rate = done / (elapsedMs / 1000);
  return [
    `MD5 of ${formatBytes(done)} of ${formatBytes(size)}`,
    ...shareParts(done, size, rate),
    `${formatBytes(rate)}/s`,
  ];
}

/** Three digits: 8.42 GB. */
function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 4);
  const amount = bytes / 1000 ** power;
  const digits = power === 0 ? 0 : Math.max(2 - Math.floor(Math.log10(amount)), 0);
  return `${amount.toFixed(digits)} ${['bytes', 'kB', 'MB', 'GB', 'TB'][power]}`;
}
