import { styleText } from 'node:util';
import type { Environment } from '../values/environment.ts';

const formats = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

type Paints = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

export interface Style extends Paints {
  /** For screen readers: labelled lines, without boxes, bars and columns. */
  isAccessible: boolean;
}

export function createStyle(hasColour: boolean, { isAccessible = false } = {}): Style {
  const paints = formats.map((format) => [
    format,
    (text: string) =>
      // The caller has decided about colour, so Node must not check the stream again.
      hasColour && text !== '' ? styleText(format, text, { validateStream: false }) : text,
  ]);
  return { ...(Object.fromEntries(paints) as Paints), isAccessible };
}

/** A variable is off if it is empty, 0 or false. */
export const isOn = (variable = ''): boolean => !/^(?:0|false)?$/i.test(variable);

export function isColourWanted(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return isOn(env.FORCE_COLOR);
  return isTerminal && env.TERM !== 'dumb';
}
