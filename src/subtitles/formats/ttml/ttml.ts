import { usageError } from '../../../errors.ts';
import type { SubtitleFormat } from '../format.ts';
import { ttmlProfiles, writeTtml } from './write.ts';

/** Reads TTML 1 and 2, IMSC Text and DFXP; writes TTML1 and IMSC 1.1 Text. */
export const ttml: SubtitleFormat = {
  name: 'ttml',
  title: 'TTML',
  profiles: ttmlProfiles,
  // `.itt` is TTML as iTunes takes it.
  extensions: ['ttml', 'dfxp', 'xml', 'itt'],
  // SRT may start with a tag such as <i>.
  start: /^\s*<(?:[?!]|(?:\w+:)?tt\b)/,
  recognisedBy: 'starts with <?xml or <tt',
  needsNumbers: false,
  declaresFrameRate: true,
  exportNote:
    'ttml is IMSC 1.1 Text (imsc) for Japanese and TTML1 (ttml1) for other languages; --fps declares a frame rate.',
  specification: { name: 'IMSC 1.1', url: 'https://www.w3.org/TR/ttml-imsc1.1/' },
  rewriteWarning:
    'is rewritten as TTML1 (Japanese: IMSC 1.1), without other styles, regions and metadata',
  declaredEncoding,
  async parser() {
    const { readTtml } = await import('./read.ts');
    return { read: readTtml };
  },
  write: writeTtml,
};

/** Tries what the XML standard lists: byte-order mark, first bytes, declaration, and last UTF-8. */
function declaredEncoding(bytes: Uint8Array, name: string): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (/^<\0/.test(head)) return 'utf-16le';
  if (/^\0</.test(head)) return 'utf-16be';
  const declared = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1];
  // Programs that hold text as UTF-16 often declare that, and save UTF-8.
  if (declared === undefined || /^(?:utf-?8|us-ascii|utf-16)$/i.test(declared)) return undefined;
  throw usageError(
    `${name} is in ${declared}, but TTML is read only in UTF-8 and UTF-16`,
    'Save it as UTF-8, or name its encoding with --encoding.',
  );
}
