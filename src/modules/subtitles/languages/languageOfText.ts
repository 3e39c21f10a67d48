import { orUndefined } from '../../../core/errors.ts';
import { languageName, localeOf, mergedLanguage } from './language.ts';

export type Detect = (text: string) => { language: string; isReliable: boolean };

/** Loads a megabyte of statistics, so only for a text that is long enough, with a language to compare. */
export async function detectorFor(
  texts: Iterable<string>,
  codes: readonly string[],
): Promise<Detect | undefined> {
  let count = 0;
  for (const text of texts) {
    count += lettersIn(text);
    if (count >= minVoted) break;
  }
  if (count < minVoted || !codes.some(isDetectable)) return undefined;
  const { eld } = await import('eld/extrasmall');
  return (text) => {
    const result = eld.detect(text);
    return { language: mergedLanguage(result.language), isReliable: result.isReliable() };
  };
}

/** The scripts behind codes that stand for several, or for a part of one. */
const scriptsIn: Readonly<Record<string, string>> = {
  Jpan: 'Hira Kana Hani',
  Kore: 'Hang Hani',
  Hans: 'Hani',
  Hant: 'Hani',
};
const anyLetter = /\p{L}/gu;
const lettersIn = (text: string, pattern = anyLetter) => text.match(pattern)?.length ?? 0;

/** Languages with a second script, which `Intl` does not know. */
const secondScripts: Readonly<Record<string, string>> = {
  sr: 'Latn',
  kk: 'Latn',
  uz: 'Cyrl',
  az: 'Cyrl',
};

/** Counts all letters, and those of the scripts of a language; undefined if these are not known. */
function lettersOf(code: string | undefined) {
  const { language = '', script } = localeOf(code)?.maximize() ?? {};
  const second = Object.hasOwn(secondScripts, language) ? secondScripts[language] : undefined;
  const scripts = `${scriptsIn[script ?? ''] ?? script} ${second ?? ''}`.trim().split(' ');
  const pattern = scripts.map((one) => `\\p{Script=${one}}`).join('|');
  const own = orUndefined(() => new RegExp(pattern, 'gu'));
  return own && ((text: string) => ({ all: lettersIn(text), own: lettersIn(text, own) }));
}

/** Lines from all over the text; more would not change the result. */
const maxSampled = 200;

export function sampleOf(lines: readonly { visible: readonly string[] }[]): string[] {
  // Spread by the golden ratio: two languages by turns would have every second line.
  const isTaken = (index: number) => (index * 0.6180339887) % 1 < maxSampled / lines.length;
  return lines.filter((_, index) => isTaken(index)).flatMap(({ visible }) => visible);
}

/** Each piece is named on its own: in one verdict on a whole text, a few foreign lines can win. */
const minPiece = 40;
/** Fewer letters may be only names. */
const minVoted = 120;
const maxOwnShare = 0.05;
const minOtherShare = 0.6;

/** Text without what is no speech: brackets, songs, digits. Capitals would look like another language. */
const cleaned = (text: string) => {
  const plain = /♪/.test(text)
    ? ''
    : text.normalize('NFC').replace(/\[[^[\]]*\]|\([^()]*\)|\{[^{}]*\}|\d+/g, ' ');
  return plain === plain.toUpperCase() ? plain.toLowerCase() : plain;
};

/**
 * The language of a text, if it is clearly another one than the declared. Measured on texts with names,
 * songs, capitals and a third in English: a false alarm is worse than silence.
 */
function votedLanguage(code: string, texts: readonly string[], detect: Detect) {
  const own = mergedLanguage(code);
  if (!isDetectable(code)) return undefined;
  const votes = new Map<string, number>();
  let [piece, total] = ['', 0];
  for (const text of texts.map(cleaned)) {
    piece += ` ${text}`;
    const count = lettersIn(piece);
    if (count < minPiece) continue;
    const { language, isReliable } = detect(piece);
    // A doubtful vote counts only for the declared language.
    const key = isReliable || language === own ? language : '';
    votes.set(key, (votes.get(key) ?? 0) + count);
    total += count;
    piece = '';
  }
  const [[winner, most] = ['', 0]] = [...votes].sort(([, a], [, b]) => b - a);
  const isOther =
    total >= minVoted &&
    winner !== '' &&
    most >= total * minOtherShare &&
    (votes.get(own) ?? 0) <= total * maxOwnShare;
  return isOther ? winner : undefined;
}

/** Those that the detector knows. In another language, it would name a similar one. */
const detectable = new Set(
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sv ta te th tl tr uk ur vi zh'.split(
    ' ',
  ),
);

export function isDetectable(code: string): boolean {
  const locale = localeOf(code);
  const usual = locale && new Intl.Locale(locale.language).maximize().script;
  const script = locale?.maximize().script;
  const isUsual = script === usual || script === 'Hant' || locale?.language === 'sr';
  return isUsual && detectable.has(mergedLanguage(code));
}

/** Frequent characters that only one of the two has, in the same order. */
const simplified =
  '们这来说时会对过还没个为么从现让给谁问间见觉爱欢话语请谢听写读书买卖车开关门进远边样东动乐电视钱长头发业习学经红绿级线组织终结统继续维绝网罗义乡难双观计认识让记讲许设访证评词试该详误调谈课论';
const traditional =
  '們這來說時會對過還沒個為麼從現讓給誰問間見覺愛歡話語請謝聽寫讀書買賣車開關門進遠邊樣東動樂電視錢長頭發業習學經紅綠級線組織終結統繼續維絕網羅義鄉難雙觀計認識讓記講許設訪證評詞試該詳誤調談課論';
const minChinese = 10;

/** `Hans` or `Hant`, if the characters are clearly of the other kind than the declared. */
function otherChinese(code: string, text: string): 'Hans' | 'Hant' | undefined {
  const locale = localeOf(code);
  if (locale?.language !== 'zh' || !(locale.script ?? locale.region)) return undefined;
  const count = (characters: string) =>
    [...text].filter((character) => characters.includes(character)).length;
  const [hans, hant] = [count(simplified), count(traditional)];
  const [own, other] = locale.maximize().script === 'Hant' ? [hant, hans] : [hans, hant];
  if (own + other < minChinese || other < (own + other) * 0.9) return undefined;
  return other === hans ? 'Hans' : 'Hant';
}

const minWrongScript = 30;

/** The language or script of a text, if it is not the declared one. */
export function otherLanguage(
  code: string,
  texts: readonly string[],
  detect?: Detect,
): string | undefined {
  const text = texts.join(' ');
  const all = lettersIn(text);
  const ownScript = lettersOf(code)?.(text).own ?? all;
  const language = detect && votedLanguage(code, texts, detect);
  if (language !== undefined) return languageName(language);
  const isOther = all >= minWrongScript && ownScript * 10 < all;
  if (isOther && isDetectable(code)) return 'in another script';
  const chinese = otherChinese(code, text);
  return chinese && languageName(`zh-${chinese}`);
}
