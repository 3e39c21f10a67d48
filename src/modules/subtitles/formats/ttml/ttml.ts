import { localeOf } from '../../languages/language.ts';
import type { Cue, Placement } from '../../line.ts';
import { plainText, type Span, type StyleName, styleNames } from '../../spans.ts';
import { type FrameRate, formatTimecode } from '../../timecode.ts';
import { escaped, type SubtitleFormat, type WriteOptions } from '../format.ts';

/** Reads TTML 1 and 2, IMSC Text and DFXP; writes TTML1 and IMSC 1.1 Text. */
export const ttml: SubtitleFormat = {
  name: 'ttml',
  title: 'TTML',
  profiles: ['ttml1', 'imsc'],
  // `.itt` is TTML as iTunes takes it.
  extensions: ['ttml', 'dfxp', 'xml', 'itt'],
  // SRT may start with a tag such as <i>.
  start: /^\s*<(?:[?!]|(?:\w+:)?tt\b)/,
  recognisedBy: 'starts with <?xml or <tt',
  needsNumbers: false,
  declaresFrameRate: true,
  exportNote: 'ttml is IMSC 1.1 Text (imsc) for Japanese and TTML1 (ttml1) for other languages.',
  declaredEncoding,
  async parser() {
    const { readTtml } = await import('./read.ts');
    return { read: readTtml };
  },
  write: writeTtml,
};

/** By what the XML standard lists: first bytes, then the declaration. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (/^<\0/.test(head)) return 'utf-16le';
  if (/^\0</.test(head)) return 'utf-16be';
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1];
  // Programs that hold text as UTF-16 often declare that, and save something else.
  return declared === undefined || /^utf-?16/i.test(declared) ? undefined : declared;
}

type RegionName = 'top' | 'middle' | 'bottom';

/** They do not overlap, as IMSC requires, and leave a tenth of the picture free on each side. */
const regions: Readonly<Record<RegionName, string>> = {
  top: 'tts:origin="10% 10%" tts:extent="80% 25%" tts:displayAlign="before"',
  middle: 'tts:origin="10% 37.5%" tts:extent="80% 25%" tts:displayAlign="center"',
  bottom: 'tts:origin="10% 65%" tts:extent="80% 25%" tts:displayAlign="after"',
};

const styles: Readonly<Record<StyleName, string>> = {
  bold: 'tts:fontWeight="bold"',
  italic: 'tts:fontStyle="italic"',
  underline: 'tts:textDecoration="underline"',
};

/**
 * Writes IMSC 1.1 Text for Japanese and TTML1 for other languages, as Netflix takes them, unless a
 * profile is named. Times are clock times, which need no frame rate.
 */
function writeTtml(cues: readonly Cue[], options: WriteOptions = {}): string {
  const { language, frameRate, profile } = options;
  const locale = localeOf(language);
  const isJapanese = locale?.language === 'ja';
  const isImsc = profile === 'imsc' || (isJapanese && profile !== 'ttml1');
  const isSheared = isImsc && isJapanese;
  const regionNames =
    cues.length === 0 ? ['bottom'] : cues.map(({ placement }) => regionOf(placement));
  const usedStyles = Object.entries(styles).filter(([name]) =>
    cues.some(({ spans }) => spans.some((span) => span[name as StyleName])),
  );
  const usedRegions = Object.entries(regions).filter(([name]) => regionNames.includes(name));
  if (isSheared) usedStyles.push(['sheared', 'tts:shear="16.67%"']);
  const styleRows = usedStyles.map(([name, style]) => `\n      <style xml:id="${name}" ${style}/>`);
  const regionRows = usedRegions.map(
    ([name, region]) => `\n      <region xml:id="${name}" ${region} tts:overflow="visible"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml"
    xmlns:ttp="http://www.w3.org/ns/ttml#parameter"
    xmlns:tts="http://www.w3.org/ns/ttml#styling"${isSheared ? japaneseNamespace : ''}${isImsc ? imscProfile : ''}
    ttp:timeBase="media"${frameRate ? frameRateAttributes(frameRate) : ''}
    ttp:cellResolution="32 15"
    xml:lang="${locale?.toString() ?? ''}">
  <head>
    <styling>
      <style xml:id="default" tts:color="white" tts:fontFamily="proportionalSansSerif" tts:fontSize="100%" tts:textAlign="center"${isSheared ? ' ebutts:multiRowAlign="start"' : ''}/>${styleRows.join('')}
    </styling>
    <layout>${regionRows.join('')}
    </layout>
  </head>
  <body style="default">
    <div>
${cues.map((cue) => `${paragraph(cue, { isImsc, isSheared })}\n`).join('')}    </div>
  </body>
</tt>
`;
}

const japaneseNamespace = '\n    xmlns:ebutts="urn:ebu:tt:style"';
const imscProfile = '\n    ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text"';

function frameRateAttributes({ frames, seconds }: FrameRate): string {
  if (seconds === 1) return `\n    ttp:frameRate="${frames}"`;
  return `\n    ttp:frameRate="${frames / 1000}"\n    ttp:frameRateMultiplier="1000 ${seconds}"`;
}

const regionOf = ({ vertical }: Placement): RegionName => vertical ?? 'bottom';

/** `isSheared`: a cue in italics is sheared, which a part of a paragraph cannot be. */
type Form = Record<'isImsc' | 'isSheared', boolean>;

function paragraph({ number, start, stop, spans, placement }: Cue, form: Form): string {
  const isSheared = form.isSheared && spans.every(({ italic }) => italic);
  const text = spans.map((span) => span.text).join('');
  const content = spans.map(({ italic, ...span }) =>
    inline(italic && !isSheared ? { ...span, italic } : span, form),
  );
  const attributes = [
    `xml:id="c${number}"`,
    `begin="${formatTimecode(start, '.')}"`,
    `end="${formatTimecode(stop, '.')}"`,
    `region="${regionOf(placement)}"`,
    ...(placement.horizontal ? [`tts:textAlign="${placement.horizontal}"`] : []),
    ...(isRightToLeft(text) ? ['tts:direction="rtl"'] : []),
    ...(needsSpace.test(text) ? ['xml:space="preserve"'] : []),
    ...(isSheared ? ['style="sheared"'] : []),
  ];
  return `      <p ${attributes.join(' ')}>${content.join('')}</p>`;
}

/** Without it, XML readers turn any amount of space into one. */
const needsSpace = / {2}|\t/;

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** TTML does not find out the direction of a paragraph; the first letter decides, as in SRT players. */
const isRightToLeft = (text: string) => rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? '');

function inline(span: Span, { isImsc }: Form): string {
  const names = styleNames.filter((name) => span[name]).join(' ');
  const style = names === '' ? '' : ` style="${names}"`;
  // TTML1 has no ruby.
  const text = xmlText(isImsc ? span.text : plainText([span])).replaceAll('\n', '<br/>');
  if (span.ruby === undefined || !isImsc)
    return style === '' ? text : `<span${style}>${text}</span>`;
  const base = `<span tts:ruby="base">${text}</span>`;
  return `<span${style} tts:ruby="container">${base}<span tts:ruby="text">${xmlText(span.ruby)}</span></span>`;
}

/** XML has no way to write half of a character pair, or the two last code points. */
const xmlText = (text: string) => escaped(text.toWellFormed().replace(/[\ufffe\uffff]/g, '\ufffd'));
