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

const percentage = /^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%$/;
const isPercentage = (value: string) => percentage.test(value);
const isOneOf =
  (...words: string[]) =>
  (value: string) =>
    words.includes(value);
const isLine = (value: string) => isPercentage(value) || /^-?\d+(?:\.\d+)?$/.test(value);

/** The values of a cue's settings: the first part, and what may follow after a comma. */
const vttSettingRules: Readonly<
  Record<string, { isValid(value: string): boolean; after?: ReturnType<typeof isOneOf> }>
> = {
  vertical: { isValid: isOneOf('rl', 'lr') },
  line: { isValid: isLine, after: isOneOf('start', 'center', 'end') },
  position: { isValid: isPercentage, after: isOneOf('line-left', 'center', 'line-right') },
  size: { isValid: isPercentage },
  align: { isValid: isOneOf('start', 'center', 'end', 'left', 'right') },
  region: { isValid: (value) => value !== '' },
};

const maxSettings = 20;

/** The settings of a WebVTT cue that browsers ignore. */
export function vttSettingProblems(settings: string): string[] {
  const words = settings.split(/[ \t\f]+/, maxSettings).filter((word) => word !== '');
  const names = words.map((word) => word.split(':', 1)[0] ?? '');
  return words.flatMap((word, index) => {
    const name = names[index] ?? '';
    const shown = `"${word.slice(0, 40)}"`;
    if (!Object.hasOwn(vttSettingRules, name) || !word.includes(':')) {
      return `unknown cue setting ${shown}`;
    }
    if (names.indexOf(name) !== index) return `cue setting ${shown} is a duplicate`;
    const [value = '', more, ...rest] = word.slice(name.length + 1).split(',');
    const { isValid, after } = vttSettingRules[name] ?? { isValid: () => false };
    const isRight = isValid(value) && (more === undefined || after?.(more)) && rest.length === 0;
    return isRight ? [] : `invalid cue setting ${shown}`;
  });
}
