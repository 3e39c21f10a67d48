/** Where a line stands on the picture. The default is the bottom, in the middle. */
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

/** The service does not document the values of these fields, so only unambiguous words count. */
export const readPlacement = (alignment: unknown, textAlign: unknown): Placement => ({
  vertical: wordIn(verticals, alignment),
  horizontal: wordIn(horizontals, textAlign),
});

function wordIn<Value>(known: Readonly<Record<string, Value>>, word: unknown): Value | undefined {
  const key = typeof word === 'string' ? word.trim().toLowerCase() : '';
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

const padColumns = ['left', undefined, 'right'] as const;
const padRows = [undefined, 'middle', 'top'] as const;

/** The placement as a number pad key: SubStation Alpha's numbering, which SRT players know. */
export const padKey = ({ vertical, horizontal }: Placement): number =>
  padRows.indexOf(vertical) * 3 + padColumns.indexOf(horizontal) + 1;

export const placementFromPadKey = (key: number): Placement => ({
  vertical: padRows[Math.floor((key - 1) / 3)],
  horizontal: padColumns[(key - 1) % 3],
});

export function vttSettings({ vertical, horizontal }: Placement): string {
  const line = vertical === 'top' ? ' line:0' : vertical === 'middle' ? ' line:50%' : '';
  return `${line}${horizontal ? ` align:${horizontal}` : ''}`;
}

export function placementFromVtt(settings: string): Placement {
  const line = /(?:^|\s)line:(\S+)/.exec(settings)?.[1] ?? '';
  const align = /(?:^|\s)align:(\S+)/.exec(settings)?.[1];
  const isTop = /^(?:0|[0-9](?:\.\d+)?%)(?:,|$)/.test(line);
  const alignment = isTop ? 'top' : /^50%/.test(line) ? 'middle' : undefined;
  return readPlacement(alignment, align);
}
