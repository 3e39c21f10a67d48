import { usageError } from '../../errors.ts';
import { type Input, textOption } from '../command.ts';

/** From a point in time, to just before another. */
export interface Period {
  from?: Date;
  before?: Date;
  /** As it was asked for. */
  flag: string;
}

const hour = 60 * 60 * 1000;
const units: Readonly<Record<string, number>> = {
  m: hour / 60,
  h: hour,
  d: 24 * hour,
  w: 7 * 24 * hour,
};

/** `2026-11-01..2026-11-14`; without one of the days it has no beginning or no end. */
const rangeForm = /^(\d{4}-\d\d?-\d\d?)?\.\.(\d{4}-\d\d?-\d\d?)?$/;

/**
 * The time that downloads are picked by on this side; none where the service alone is to pick. Days
 * are those of the time zone of this machine, both of them included.
 */
export function readPeriod(input: Input, now: Date): Period | undefined {
  const since = textOption(input, 'since');
  const created = textOption(input, 'created')?.trim() ?? '';
  const [range, first, last] = rangeForm.exec(created) ?? [];
  if (since !== undefined && range !== undefined) {
    throw usageError('--since and --created with days cannot be used together');
  }
  if (since !== undefined) return { from: sinceWhen(since, now), flag: `--since ${since}` };
  if (range === undefined) return undefined;
  const from = first === undefined ? undefined : dayAt(first, 0, '--created');
  const before = last === undefined ? undefined : dayAt(last, 1, '--created');
  if (from === undefined && before === undefined) {
    throw usageError('--created .. names no day', 'for example --created 2026-11-01..2026-11-14');
  }
  if (from && before && from >= before) {
    throw usageError(`--created ${created} ends before it begins`);
  }
  return { from, before, flag: `--created ${created}` };
}

function sinceWhen(text: string, now: Date): Date {
  const [, amount, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return new Date(now.getTime() - Number(amount) * (units[unit] ?? 0));
  if (/^\d{4}-\d\d?-\d\d?$/.test(text)) return dayAt(text, 0, '--since');
  throw usageError(
    `--since takes a time such as 12h, 7d or 2w, or a day such as 2026-11-01, not "${text}"`,
  );
}

/** The beginning of a day where this runs, or of a day after it. */
function dayAt(text: string, daysLater: number, flag: string): Date {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) {
    throw usageError(`${flag}: there is no day ${text}`);
  }
  return new Date(year, month - 1, day + daysLater);
}
