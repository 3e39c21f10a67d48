import { MarError, runHint, usageError } from '../../core/errors.ts';
import { fieldOf, fieldsOf, items } from '../../core/json/fields.ts';
import type { ServiceRecord } from '../../core/json/serviceRecord.ts';
import { words } from '../../core/values/commandLine.ts';
import { type DecodedText, decode } from './formats/encoding.ts';
import type { FileContent, Parser, SubtitleFormat } from './formats/format.ts';
import { formatOf, noFormatError } from './formats/registry.ts';
import { claimsOf, claimsOfFile, type LanguageClaim } from './languages/languageOfFile.ts';
import { type Line, readPlacement } from './line.ts';
import { SpanBuilder } from './spans.ts';
import { readTimecode } from './timecode.ts';

/** The lines of a work request or of a file, and what is known about them. */
export interface Subtitles extends FileContent {
  /** The id of the work request, or the name of the file. */
  name: string;
  /** The places that name a language. That of the first is `language`. */
  claims: readonly LanguageClaim[];
  /** Undefined for a work request. */
  format?: SubtitleFormat;
  /** A file as it was read. */
  file?: DecodedText & { parser: Parser };
  /** A work request, and which of its translations this is. */
  request?: { record: ServiceRecord; field: TranslationField };
}

/** Entries of a file are called cues, because a line is a line of the file. */
export const nounOf = ({ format }: Pick<Subtitles, 'format'>): 'cue' | 'line' =>
  format ? 'cue' : 'line';

const maxMegabytes = 10;
export const maxFileBytes = maxMegabytes * 1024 * 1024;

/** Loads the parser of a file's format. The returned function reads it, without waiting for anything. */
export async function fileReader(name: string, bytes: Uint8Array, encoding?: string) {
  if (bytes.length > maxFileBytes) {
    throw usageError(
      `${name} is larger than ${maxMegabytes} MB`,
      'The subtitles of a film have less than 1 MB. Check that it is the right file, or split it.',
    );
  }
  const format = formatOf(name, bytes);
  const parser = await format.parser();
  return (): Subtitles => {
    const decoded = decode(bytes, name, encoding, format.declaredEncoding?.(bytes));
    const content = parser.read(decoded.text, name);
    const isAnyText = !format.start && content.lines.length === 0 && decoded.text.trim() !== '';
    if (isAnyText) throw noFormatError(name);
    const claims = claimsOfFile(name, content.language);
    const language = claims[0]?.code;
    return { ...content, name, language, claims, format, file: { ...decoded, parser } };
  };
}

/** Dialogue, and titles on the screen. */
export type TranslationField = 'translation' | 'graphicsTranslation';

const hasMarkup = /[<&]/;

/** Reads a translation of a work request. Loads the HTML parser only if a line has markup. */
export async function readTranslation(
  id: string,
  record: ServiceRecord,
  field: TranslationField,
): Promise<Subtitles> {
  const translation = fieldOf(record.value, field);
  if (!fieldsOf(translation)) throw noLinesError(id, field, translation);
  const entries = items(translation, 'lines');
  const isMarkedUp = entries.some((entry) => hasMarkup.test(textOf(entry)));
  const readText = isMarkedUp ? (await import('./formats/markup.ts')).readHtml : readPlain;
  const languages = {
    translation: fieldOf(translation, 'language'),
    'work request': fieldOf(record.value, 'language'),
  };
  const written = Object.values(languages).find((one) => typeof one === 'string' && one !== '');
  return {
    name: id,
    lines: entries.map((entry, index): Line => {
      const { spans, problems, closable } = readText(textOf(entry));
      const number = fieldOf(entry, 'number');
      return {
        place: index + 1,
        number: Number.isSafeInteger(number) ? (number as number) : undefined,
        start: readTimecode(fieldOf(entry, 'startTime')),
        stop: readTimecode(fieldOf(entry, 'stopTime')),
        spans,
        tagProblems: problems,
        closable,
        placement: readPlacement(fieldOf(entry, 'alignment'), fieldOf(entry, 'textAlign')),
      };
    }),
    problems: [],
    language: written as string | undefined,
    claims: claimsOf(languages),
    request: { record, field },
  };
}

function readPlain(text: string) {
  const builder = new SpanBuilder();
  builder.add(text, {}, true);
  return { spans: builder.finish(), problems: [], closable: [] };
}

function textOf(entry: unknown): string {
  const text = fieldOf(entry, 'text');
  return typeof text === 'string' ? text : '';
}

function noLinesError(id: string, field: TranslationField, found: unknown): MarError {
  const name = field === 'translation' ? 'translation' : 'graphics translation';
  return new MarError(
    'service',
    typeof found === 'string'
      ? `${id}: the service sent only the id of the ${name} (${found}), not its lines`
      : `${id} has no ${name}`,
    { hint: runHint('To see the whole record', words`mar wr get ${id} --json`) },
  );
}
