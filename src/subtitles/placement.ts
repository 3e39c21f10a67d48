/** Where on the picture a line stands; what is not said is at the bottom, in the middle. */
export interface Placement {
  vertical?: 'top' | 'middle';
  horizontal?: 'left' | 'right';
}

const verticals: Readonly<Record<string, Placement['vertical']>> = { top: 'top', middle: 'middle' };
const horizontals: Readonly<Record<string, Placement['horizontal']>> = {
  left: 'left',
  start: 'left',
  right: 'right',
  end: 'right',
};

/**
 * From a line's `alignment` and `textAlign`. The service does not document their values: words that
 * can mean one thing only are taken, all others change nothing.
 */
export function readPlacement(alignment: unknown, textAlign: unknown): Placement {
  const vertical = wordIn(verticals, alignment);
  const horizontal = wordIn(horizontals, textAlign);
  return { ...(vertical ? { vertical } : {}), ...(horizontal ? { horizontal } : {}) };
}

function wordIn<Value>(known: Readonly<Record<string, Value>>, word: unknown): Value | undefined {
  const key = typeof word === 'string' ? word.trim().toLowerCase() : '';
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

const columns = ['left', undefined, 'right'] as const;
const rows = [undefined, 'middle', 'top'] as const;

/** The place as a key of a number pad, as SubStation Alpha counts and players of SRT know it. */
export function numberPadKey({ vertical, horizontal }: Placement): number {
  return rows.indexOf(vertical) * 3 + columns.indexOf(horizontal) + 1;
}

export function fromNumberPad(key: number): Placement {
  const vertical = rows[Math.floor((key - 1) / 3)];
  const horizontal = columns[(key - 1) % 3];
  return { ...(vertical ? { vertical } : {}), ...(horizontal ? { horizontal } : {}) };
}

/** The settings of a WebVTT cue: ` line:0 align:left`. */
export function vttSettings({ vertical, horizontal }: Placement): string {
  const line = vertical === 'top' ? ' line:0' : vertical === 'middle' ? ' line:50%' : '';
  return `${line}${horizontal ? ` align:${horizontal}` : ''}`;
}

export function fromVttSettings(settings: string): Placement {
  const line = /(?:^|\s)line:(\S+)/.exec(settings)?.[1] ?? '';
  const align = /(?:^|\s)align:(\S+)/.exec(settings)?.[1];
  const isTop = /^(?:0|[0-9](?:\.\d+)?%)(?:,|$)/.test(line);
  const alignment = isTop ? 'top' : /^50%/.test(line) ? 'middle' : undefined;
  return readPlacement(alignment, align);
}
