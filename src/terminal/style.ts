import { styleText } from 'node:util';

const formats = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

export type Style = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

export function createStyle(hasColour: boolean): Style {
  const paints = formats.map((format) => [
    format,
    (text: string) =>
      // The caller has decided about colour, so Node must not check the stream again.
      hasColour && text !== '' ? styleText(format, text, { validateStream: false }) : text,
  ]);
  return Object.fromEntries(paints);
}

export function isColourWanted(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
