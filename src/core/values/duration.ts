import { nameFacts, usageError } from '../errors.ts';

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof units;

/** The limit of a timer. A timer with a longer delay fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** `500ms`, `30s`, `5m` or `1h` in milliseconds; `name` is the flag, for the error. */
export function parseDuration(text: string, name: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * units[unit as Unit]);
  const refuse = (problem: string) =>
    usageError(`${name} ${problem}`, { ...nameFacts(name), value: text });
  if (ms > maxTimerMs) {
    throw refuse(`${text} is too long: the maximum is ${Math.floor(maxTimerMs / units.h)}h`);
  }
  if (ms === 0) throw refuse(`must be longer than ${text}, for example 30s`);
  if (!(ms > 0)) throw refuse(`must be a duration such as 500ms, 30s, 5m or 1h, not "${text}"`);
  return ms;
}

export function formatDuration(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find(
    (name) => ms >= units[name] && ms % units[name] === 0,
  );
  return unit ? `${ms / units[unit]}${unit}` : `${ms}ms`;
}

export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 24)} d`;
}

/** Rejects with the reason of the signal, if it aborts meanwhile. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => {
    throw signal?.reason;
  });
}
