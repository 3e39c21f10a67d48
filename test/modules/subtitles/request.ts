/** The JSON of a work request whose translation has these lines. */
export function workRequest(lines: readonly object[], more: Record<string, unknown> = {}): string {
  const { graphics = [], ...fields } = more;
  return JSON.stringify({
    _id: 'wr-1',
    language: 'fra',
    territory: 'FRA',
    project: { _id: 'p-1', name: 'The Harbor Light' },
    asset: { _id: 'a-1', name: 'Trailer: A/B' },
    translation: { _id: 't-1', language: 'fra', lines, printLines: [] },
    graphicsTranslation: { _id: 'tg-1', language: 'fra', lines: graphics },
    ...fields,
  });
}

/** A line that lasts one second, and starts two seconds after the one before. */
export const entry = (number: number, text: string, more: Record<string, unknown> = {}) => ({
  number,
  text,
  startTime: `00:00:${String(number * 2).padStart(2, '0')},000`,
  stopTime: `00:00:${String(number * 2 + 1).padStart(2, '0')},000`,
  alignment: 'bottom',
  textAlign: 'center',
  split: '',
  merged: '',
  range: [1, 2],
  ...more,
});
