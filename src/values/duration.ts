import { usageError } from '../errors.ts';

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof units;

/** As long as a timer can count; it goes off at once when it is asked for more. */
export const maxTimerMs = 2 ** 31 - 1;

/** `500ms`, `30s`, `5m`, `1h` in milliseconds; `name` is the flag it was given to. */
export function parseDuration(text: string, name: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * units[unit as Unit]);
  if (ms > maxTimerMs) {
    const most = Math.floor(maxTimerMs / units.h);
    throw usageError(`${name} takes ${most}h at most, not ${text}`);
  }
  if (!(ms > 0)) {
    throw usageError(`${name} takes a duration such as 500ms, 30s, 5m or 1h, not "${text}"`);
  }
  return ms;
}

export function formatDuration(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find(
    (name) => ms >= units[name] && ms % units[name] === 0,
  );
  return unit ? `${ms / units[unit]}${unit}` : `${ms}ms`;
}
