import path from 'node:path';
import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { valueAt } from '../../json/fields.ts';
import { isTtml } from '../../subtitles/fileFormats.ts';
import type { FixedFile } from '../../subtitles/fix/fixFile.ts';
import { type Input, stringOption } from '../command.ts';
import { limitReader } from './findings.ts';
import {
  chosenFrameRate,
  isFileName,
  readSourceFile,
  type Source,
  translationField,
} from './source.ts';

export const fixFormats = ['srt', 'vtt', 'ttml'] as const;
export type FixFormat = (typeof fixFormats)[number];

/** By the ending of its name. */
export const formatNamed = (file: string): FixFormat | undefined =>
  fixFormats.find((one) => one === path.extname(file).slice(1).toLowerCase()) ??
  (/\.(?:dfxp|xml|itt)$/i.test(file) ? 'ttml' : undefined);

export interface Original {
  name: string;
  bytes: Uint8Array;
  format: FixFormat;
  isFile: boolean;
  language?: string;
  /** The work request. */
  source?: Source;
  encode(text: string): string | Uint8Array;
}

export async function readOriginal(
  context: Context,
  input: Input,
  word: string,
  exported: FixFormat,
): Promise<Original> {
  if (!isFileName(word)) return readExport(context, input, word, exported);
  const { name, bytes } = await readSourceFile(context, word);
  const isVtt = /\.vtt$/i.test(name) || startsWithWebVtt(bytes);
  const format = isTtml(name, bytes) ? 'ttml' : isVtt ? 'vtt' : 'srt';
  const encoding = stringOption(input, 'encoding');
  const encode = (text: string) => {
    const { content, isOther } = encodedLike(bytes, text, encoding);
    if (isOther) context.reportOnce(`warning: written as UTF-8, not as ${encoding}`);
    return content;
  };
  return { name, bytes, format, isFile: true, encode };
}

const startsWithWebVtt = (bytes: Uint8Array) =>
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?WEBVTT/.test(
    Buffer.from(bytes.subarray(0, 20)).toString('latin1').replaceAll('\0', ''),
  );

/** Only UTF-8 and UTF-16 can be written. */
function encodedLike([first, second]: Uint8Array, text: string, encoding = 'utf-8') {
  const isLittle = first === 0xff && second === 0xfe;
  if (isLittle || (first === 0xfe && second === 0xff)) {
    const content = Buffer.from(`\ufeff${text}`, 'utf16le');
    return { content: isLittle ? content : content.swap16(), isOther: false };
  }
  const hasMark = first === 0xef && second === 0xbb;
  return {
    content: hasMark ? `\ufeff${text}` : text,
    isOther: !hasMark && !/^utf-?8$/i.test(encoding),
  };
}

/** The lines of a work request, as `translation export` writes them. */
async function readExport(
  context: Context,
  input: Input,
  id: string,
  format: FixFormat,
): Promise<Original> {
  const client = await context.client();
  const record = await client.call(endpoints.workRequestGet, { id });
  const field = translationField(input);
  const { exportText } = await import('../../subtitles/write.ts');
  const own = valueAt(record.value, `${field}.language`) ?? valueAt(record.value, 'language');
  const language = typeof own === 'string' ? own : undefined;
  const text = await exportText(id, record, format, {
    field,
    skipsBadTimes: input.options.skipBadTimes === true,
    csv: { raw: false, isTerminal: false },
    frameRate: chosenFrameRate(context, input),
    warn: (message) => context.reportOnce(`warning: ${message}`),
  });
  const source = { name: id, isFile: false, lines: [], problems: [], record };
  const bytes = Buffer.from(text);
  return { name: id, bytes, format, isFile: false, language, source, encode: (fixed) => fixed };
}

export async function fixOriginal(
  context: Context,
  input: Input,
  { name, bytes, format }: Original,
  source: Source,
): Promise<FixedFile> {
  const encoding = stringOption(input, 'encoding');
  const limitsOf = limitReader(context, input);
  if (format !== 'ttml') {
    const [{ fixFile }, { decode }] = await Promise.all([
      import('../../subtitles/fix/fixFile.ts'),
      import('../../subtitles/read.ts'),
    ]);
    const { limits } = limitsOf(source);
    return context.world.interruptible(() =>
      fixFile(decode(bytes, name, encoding), name, { limits }),
    );
  }
  const [{ fixTtml }, { readTtml }] = await Promise.all([
    import('../../subtitles/fix/fixTtml.ts'),
    import('../../subtitles/ttml/read.ts'),
  ]);
  const before = readTtml(bytes, name, encoding);
  return context.world.interruptible(() =>
    fixTtml(before, name, {
      ...limitsOf({ ...source, ...before }),
      frameRate: chosenFrameRate(context, input),
      skipsBadTimes: input.options.skipBadTimes === true,
      warn: (message) => context.reportOnce(`warning: ${message}`),
    }),
  );
}
