import { styleText } from 'node:util';
import type { Environment } from '../values/environment.ts';

const formats = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

type Paints = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

export interface Style extends Paints {
  hasLinks: boolean;
  /** Text that opens an address when it is clicked; plain text if the terminal cannot do that. */
  link(text: string, address: string): string;
  /** For screen readers: labelled lines, without boxes, bars and columns. */
  isAccessible: boolean;
}

export function createStyle(
  hasColour: boolean,
  { hasLinks = false, isAccessible = false } = {},
): Style {
  const paints = formats.map((format) => [
    format,
    (text: string) =>
      // The caller has decided about colour, so Node must not check the stream again.
      hasColour && text !== '' ? styleText(format, text, { validateStream: false }) : text,
  ]);
  return {
    ...(Object.fromEntries(paints) as Paints),
    isAccessible,
    hasLinks,
    link: (text, address) => (hasLinks && text !== '' ? hyperlink(text, address) : text),
  };
}

/** OSC 8, which terminals without it ignore. */
const hyperlink = (text: string, address: string) =>
  `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;

/** Terminals that open links. There is no way to ask a terminal. */
export function hasLinkSupport(env: Environment): boolean {
  if (env.FORCE_HYPERLINK !== undefined) return isOn(env.FORCE_HYPERLINK);
  if (isOn(env.CI)) return false;
  const program = env.TERM_PROGRAM ?? '';
  if (/^(?:iTerm\.app|WezTerm|vscode|ghostty|tmux|zed|WarpTerminal)$/.test(program)) return true;
  if (/^(?:xterm-kitty|alacritty|foot|xterm-ghostty)/.test(env.TERM ?? '')) return true;
  return Number(env.VTE_VERSION) >= 5000 || Boolean(env.WT_SESSION || env.KONSOLE_VERSION);
}

/** A variable is off if it is empty, 0 or false. */
export const isOn = (variable = ''): boolean => !/^(?:0|false)?$/i.test(variable);

export function isColourWanted(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return isOn(env.FORCE_COLOR);
  if (isOn(env.CLICOLOR_FORCE)) return true;
  return isTerminal && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}
