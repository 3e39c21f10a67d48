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

export type Style = Readonly<Record<(typeof formats)[number], Paint>>;

export function createStyle(hasColour: boolean): Style {
  const paints = formats.map((format): [string, Paint] => [
    format,
    // The caller has decided about colour, so Node must not check the stream again.
    hasColour
      ? (text) => (text === '' ? '' : styleText(format, text, { validateStream: false }))
      : (text) => text,
  ]);
  return Object.fromEntries(paints) as Style;
}

export function isColourWanted(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
