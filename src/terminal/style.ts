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

/** Whether to colour: `NO_COLOR` and `FORCE_COLOR` decide, then whether it is a terminal. */
export function isColourWanted(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
