import { styleText } from 'node:util';

type Paint = (text: string) => string;

const formats = [
  'bold',
  'dim',
  'italic',
  'underline',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
] as const;

/** How text is set off from other text; without colour, not at all. */
export type Style = Readonly<Record<(typeof formats)[number], Paint>>;

export function createStyle(colour: boolean): Style {
  const paints = formats.map((format): [string, Paint] => [
    format,
    // Whether there is colour was decided by the caller: the stream is not asked again.
    colour
      ? (text) => (text === '' ? '' : styleText(format, text, { validateStream: false }))
      : (text) => text,
  ]);
  return Object.fromEntries(paints) as Style;
}
