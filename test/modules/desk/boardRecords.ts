const day = 24 * 60 * 60 * 1000;
/** One time for all records, so that two with the same number of days are due at the same moment. */
const start = Date.now();

interface Outline {
  status?: string;
  dueInDays?: number;
  sinceDays?: number;
  missing?: readonly string[];
  [field: string]: unknown;
}

/** A work request for `today`, as the service sends it. */
export function onBoard(id: string, outline: Outline = {}): string {
  const { status = 'in-progress', dueInDays, sinceDays = 7, missing = [], ...more } = outline;
  // Half an hour more than the days, so that a slow test sees the same number of them.
  const now = start + (dueInDays !== undefined && dueInDays < 0 ? -1 : 1) * (day / 48);
  return JSON.stringify({
    _id: id,
    status,
    ...(dueInDays !== undefined && { due: { date: Math.round(now + dueInDays * day) } }),
    language: 'fra',
    territory: 'FRA',
    asset: { _id: 'a-1', name: 'Harbor Lights, Trailer 2' },
    materials: ['textless', 'script'].map((name) => ({ name, complete: !missing.includes(name) })),
    history: [{ status, date: start - sinceDays * day - day / 48 }],
    ...more,
  });
}
