import { constants, copyFileSync } from 'node:fs';
import path from 'node:path';
import { type Command, noImportNote } from '../../../core/commands/command.ts';
import { readOutputFile } from '../../../core/commands/globals.ts';
import { MarError, onCommandLine, runHint, systemCode, usageError } from '../../../core/errors.ts';
import { isArchive } from '../../../core/files/container.ts';
import { makeFolder, publicMode } from '../../../core/files/makeFolder.ts';
import { isInside, resolveLinks } from '../../../core/files/paths.ts';
import type { FileContent } from '../../../core/files/replaceFile.ts';
import { type Input, option, stringOption } from '../../../core/input.ts';
import { cannotWrite, confirmTargets, writeNamedFile } from '../../../core/output/outputFile.ts';
import type { Reporter } from '../../../core/output/reporter.ts';
import { rowsResult } from '../../../core/output/result.ts';
import type { Column } from '../../../core/output/viewType.ts';
import type { Context } from '../../../core/session/context.ts';
import { words } from '../../../core/values/commandLine.ts';
import { firstOf, plural } from '../../../core/values/numbers.ts';
import {
  type CheckedSubtitles,
  countsOf,
  countText,
  type Finding,
  languageError,
} from '../check/check.ts';
import { numberOf } from '../check/checks.ts';
import { diffOf, type FixedSubtitles, fixSubtitles, unchanged } from '../fix/fix.ts';
import { encodedLike } from '../formats/encoding.ts';
import * as registry from '../formats/registry.ts';
import type { Line } from '../line.ts';
import { printSubtitles } from '../print.ts';
import { plainText } from '../spans.ts';
import { fileReader, type Subtitles } from '../subtitles.ts';
import { languageOption, limitOptions, subtitlesChecker } from './findings.ts';
import {
  collector,
  encodingOption,
  findSources,
  type Source,
  shownText,
  sourceArgument,
} from './source.ts';

const changedFormats = registry.formatTitles(
  'and',
  registry.formats.filter(({ isFixable }) => isFixable),
);

export const command: Command = {
  isPaged: true,
  summary: 'Fix what can be fixed automatically in subtitle files',
  details:
    `Changes ${changedFormats} files. Other subtitles are only checked. ` +
    'Corrects end times, line breaks, numbers, tags, ellipses, dashes and spaces. Words and start times do not change. Lines of a work request without text or with invalid times are left out. Prints a diff; writes a file with -O or --in-place. Exits with 3 if problems remain. ' +
    noImportNote,
  arguments: [{ ...sourceArgument, name: 'file' }],
  options: [
    option('-O, --output <file>', 'file to write, or folder for a folder or .zip; - prints it', {
      completes: 'file',
    }),
    option('--in-place', 'replace files that change; keeps the first originals as NAME.orig', {
      excludes: ['--output'],
    }),
    ...limitOptions,
    languageOption,
    encodingOption,
  ],
  examples: {
    'Show what would change': 'mar translation fix movie.fr-CA.srt --fps 25',
    'Change the file': 'mar translation fix movie.fr-CA.srt --fps 25 --in-place',
    'Fix a delivery into another folder': 'mar translation fix delivery.zip -O fixed --fps 25',
    'Fix the lines of a work request as a file': 'mar translation fix wr-2009 -O bakery.spa.srt',
  },
  async *run(context, input) {
    const [word = ''] = input.arguments;
    const sources = await findSources(context, input);
    const isFolder = sources.some(({ within }) => within);
    const isFile = sources.every((one) => one.isFile) && word !== '-' && !isArchive(word);
    const output = readTarget(input, { word, isFile, isFolder });
    const targetOf = ({ within }: Source) =>
      output !== undefined && within !== undefined ? path.join(output, within) : output;
    const isPrinted = output === '-';
    const isWritten = output !== undefined && !isPrinted;
    const { format, jq, columns } = context.flags;
    const isListed = (format ?? jq ?? columns) !== undefined;
    const failures: MarError[] = [];
    const changes: object[] = [];
    const notes: string[] = [];
    const left: string[][] = [];
    let written = 0;
    if (isWritten && !input.options.inPlace) {
      await confirmTargets(
        context,
        sources.map((source) => targetOf(source) ?? output),
      );
    }
    const fix = fixer(context, input);
    for (const source of sources) {
      try {
        const target = targetOf(source);
        if (input.options.inPlace && isFolder) refuseLinkOut(source.name, word);
        const fixed = await fix(source, target);
        const { diff, content } = fixed;
        changes.push(...fixed.changes);
        if (isPrinted) {
          yield shownText((isTerminal) => (isTerminal ? fixed.text : (content ?? '')));
        } else if (!isListed && diff !== '') {
          yield { ...shownText(() => diff), onlyFor: 'people' };
        }
        notes.push(...fixed.notes);
        if (fixed.left.length > 0) left.push(fixed.left);
        if (!isWritten || target === undefined || content === undefined) continue;
        if (isFolder && !input.options.inPlace) makeFolder(path.dirname(target), publicMode);
        await write(input, target, content);
        written += 1;
        if (!isFolder) notes.push(`Wrote ${target}`);
      } catch (error) {
        collector(failures)(error);
      }
    }
    if (!isPrinted) {
      yield { ...rowsResult(changes, changeColumns), onlyFor: isListed ? undefined : 'programs' };
    }
    if (isFolder && isWritten) notes.push(`Wrote ${plural(written, 'file')} to ${output}`);
    if (!isWritten && !isPrinted && changes.length > 0) {
      const inPlace = isFile ? '--in-place or ' : '';
      notes.push(`Nothing was written. Use ${inPlace}-O ${isFolder ? 'FOLDER' : 'FILE'} to write.`);
    }
    for (const note of notes) context.reporter.reportOnce(note);
    if (left.length > 0) failures.unshift(remainingError(left, output ?? word));
    if (failures.length > 0) throw MarError.together(failures);
  },
};

function fixer(context: Context, input: Input) {
  const check = subtitlesChecker(context, input);
  return async ({ read }: Source, target: Target) => {
    const source = await read();
    const file = source.request ? await asFile(context, source, target) : source;
    checkOwnFormat(target, file);
    const before = await check(file);
    const { subtitles, limits } = before;
    const isNamed = subtitles.claims[0]?.by === '--language';
    const clash = isNamed ? undefined : languageError(before);
    const fixed = clash
      ? unchanged(subtitles)
      : context.world.interruptible(() => fixSubtitles(subtitles, limits));
    // Lines that are left out of a file leave gaps in its numbers.
    const isGap = ({ rule }: Finding) => source.request !== undefined && rule === 'number';
    const found = before.findings.filter((finding) => !isGap(finding)).length;
    const after = fixed.after === subtitles ? before : await check(fixed.after);
    const content = target && !clash ? newContent(fixed, context.reporter) : undefined;
    return {
      /** The whole file, for a screen. */
      text: fixed.text ?? subtitles.file?.text ?? '',
      /** Undefined if nothing is to be written. */
      content: content ?? (input.options.inPlace ? undefined : subtitles.file?.bytes),
      diff: fixed.text === undefined ? '' : diffOf(fixed),
      changes: changeRecords(fixed),
      notes: clash ? [] : noteOf(fixed, found, after, target),
      left: leftIn(after, clash),
    };
  };
}

/** The lines of a work request, as the file that `export` writes. */
async function asFile({ reporter }: Context, source: Subtitles, target: Target) {
  const { name: id, language, claims } = source;
  const named = registry.formatNamed(target ?? '');
  const format = named?.isFixable ? named : registry.defaultFormat;
  const text = printSubtitles(source, format.name, {
    skipsBadTimes: true,
    warn: (message) => reporter.warn('subtitles', message),
    csv: { isTerminal: false },
  });
  const read = await fileReader(`${id}.${format.name}`, Buffer.from(text));
  return { ...read(), name: id, language, claims };
}

/** Undefined if the file stays as it is. */
function newContent({ text, before }: FixedSubtitles, reporter: Reporter) {
  const { file, format } = before;
  const isUnicode = file?.encoding.startsWith('utf-');
  if (!file || (text === undefined && (isUnicode || !format?.isFixable))) return undefined;
  if (!isUnicode) {
    reporter.warn('encoding', `${before.name}: written as UTF-8, not as ${file.encoding}`);
  }
  return encodedLike(file, text ?? file.text);
}

/** A file, or `-` for standard output; undefined if nothing is written. */
type Target = string | undefined;

function readTarget(
  input: Input,
  { word, isFile, isFolder }: { word: string; isFile: boolean; isFolder: boolean },
): Target {
  const given = stringOption(input, 'output');
  if (input.options.inPlace) {
    if (isFile) return word;
    const hint = onCommandLine('Use -O FILE to write.');
    throw usageError(`--in-place cannot change ${word}`, hint, { flag: '--in-place' });
  }
  const output = readOutputFile(given) ?? given;
  if (output === '-' && isFolder) {
    const hints = ['To see the text, name one of them.', onCommandLine('Use -O FOLDER to write.')];
    throw usageError(`the files of ${word} are not one text`, hints, { flag: '-O', value: word });
  }
  return output;
}

function refuseLinkOut(file: string, folder: string): void {
  if (isInside(resolveLinks(folder), resolveLinks(file))) return;
  throw usageError(
    `${file} is a link out of ${folder}, so it is not changed`,
    'To change the file that it leads to, name it alone.',
    { flag: '--in-place' },
  );
}

async function write({ options }: Input, target: string, content: FileContent) {
  const inPlace = options.inPlace === true;
  if (inPlace) keepOriginal(target);
  await writeNamedFile(target, content, { flag: inPlace ? '--in-place' : '-O', value: target });
}

/** The first one stays, if a file is fixed again. */
function keepOriginal(file: string): void {
  try {
    copyFileSync(file, `${file}.orig`, constants.COPYFILE_EXCL);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw cannotWrite(`${file}.orig`, error);
  }
}

/** A file that is named like another format would be misread later. */
function checkOwnFormat(file: string | undefined, { name, format }: Subtitles): void {
  const named = registry.formatNamed(file ?? '');
  if (!format || named === undefined || named === format || file === name) return;
  throw usageError(
    `-O ${file}: ${name} is written as ${format.title}`,
    `End the name in .${format.name}.`,
    { flag: '-O', value: file },
  );
}

const changeRecords = ({ before, after, changes }: FixedSubtitles) =>
  changes.map(({ index, row }) => {
    const [old, now] = [before.lines[index], after.lines[index]];
    const where = { source: before.name, line: row, cue: old?.number ?? index + 1 };
    return { ...where, before: sideOf(old), after: sideOf(now) };
  });

const sideOf = (line: Line | undefined) =>
  line
    ? { startTime: line.start.text, stopTime: line.stop.text, text: plainText(line.spans) }
    : null;

const changeColumns: readonly Column[] = [
  { title: 'Line', path: 'line', kind: 'number' },
  { title: 'Cue', path: 'cue', kind: 'number' },
  { title: 'Stop', path: 'after.stopTime', kind: 'id' },
  { title: 'Text', path: 'after.text', importance: 1 },
];

function noteOf(
  { text, changes }: FixedSubtitles,
  found: number,
  { findings, subtitles: { name } }: CheckedSubtitles,
  target: Target,
): string[] {
  if (text === undefined) return findings.length > 0 ? [] : [`${name}: nothing to fix`];
  const [cues, gone] = [changes.length, found - findings.length];
  const parts = [gone > 0 && plural(gone, 'problem'), cues > 0 && plural(cues, 'cue')];
  const what = parts.filter(Boolean).join(' in ');
  return [`${name}: ${target === undefined ? `${what} can be fixed` : `fixed ${what}`}`];
}

/** Problems that a person must decide or correct in a file: a message, and the places. */
function leftIn(
  { subtitles: { name, lines, format }, findings }: CheckedSubtitles,
  clash: Finding | undefined,
): string[] {
  if (clash) {
    const how = 'To fix it, name its language with --language CODE';
    return [`${name}: not changed, because ${clash.message}. ${how}`];
  }
  if (findings.length === 0) return [];
  const reason = format?.isFixable
    ? 'cannot be fixed automatically'
    : `not fixed: only ${changedFormats} files are changed`;
  const found = `${countText(countsOf(findings))} in ${plural(lines.length, 'cue')}`;
  const places = findings.map(
    ({ line, place, message }) =>
      `Line ${place}${line ? `, cue ${numberOf(line)}` : ''}: ${message}.`,
  );
  return [`${name}: ${found} ${reason}`, ...places];
}

/** `all` names what to check for the whole list. */
function remainingError(left: readonly string[][], all: string): MarError {
  const [[, ...places] = [], ...others] = left;
  const run = runHint('To see all', words`mar translation check ${all} --details`);
  const isLong = places.length > 10;
  const hint = others.length > 0 ? [run] : [...firstOf(places, 10), ...(isLong ? [run] : [])];
  const messages = left.map(([message]) => message);
  return new MarError('check', messages.join('\n'), { hint });
}
