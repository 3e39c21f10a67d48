import { fakeService } from '../../harness/fakeService.ts';
import { mar, type RunOptions } from '../../harness/mar.ts';

export const inDays = (days: number) => Date.now() + days * 86_400_000;

/** A work request as the service returns it. */
export const fetched = {
  _id: 'wr-1',
  status: 'complete',
  created: 1_700_000_000_000,
  history: [{ status: 'complete', reason: '' }],
  from: { _id: 'u-1', name: 'Ines' },
  translation: { _id: 't-1' },
  $links: { self: '//media.example/api/workrequests/wr-1' },
  rejections: [],
  asset: { _id: 'a-1', name: 'Trailer', $links: { self: '//media.example/api/assets/a-1' } },
  language: 'fra',
  territory: 'FRA',
  due: { date: inDays(30), tz: 'Europe/Paris' },
  uses: { items: ['online'] },
  recipients: { Online: ['u-2'] },
  instructions: `Merci de garder « Aurélia ». ${'Une phrase de plus. '.repeat(8)}Fin.`,
};

/** A service with one asset and one work request, and the bodies that it got. */
export async function service(record: object = fetched) {
  const bodies: Record<string, unknown>[] = [];
  const { env } = await fakeService(({ method, path: where, body }) => {
    if (method === 'GET')
      return where.startsWith('/assets') ? '{"_id":"a-1"}' : JSON.stringify(record);
    bodies.push(JSON.parse(body));
    return `{"_id":"wr-${bodies.length + 1}"}`;
  });
  const create = (argv: readonly string[], options: RunOptions = {}) =>
    mar(['wr', 'create', ...argv], { ...options, env: { ...env, ...options.env } });
  return { env, bodies, create };
}

/** The fields of a fetched work request that only the service makes. */
export const serviceFields = '_id, status, created, history, from, translation, $links';

/** An order with all that it needs. */
export const whole = { asset: { _id: 'a-1' }, language: 'fra', uses: { items: ['online'] } };

export const without = (name: string) =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));

const tokyo = 'Asia/Tokyo';
/** Dates that nobody can mean, and what is said about them. */
export const impossibleDates: readonly [dates: object, problem: RegExp][] = [
  [{ due: { date: 46_357 } }, / due\.date .*: 46357;/],
  [{ due: { date: 20_261_220 } }, / due\.date .*: 20261220;/],
  [{ due: { date: 0 } }, / due\.date .*: 0;/],
  [{ due: { date: -5 } }, / due\.date .*: -5;/],
  [{ due: { date: inDays(-1) } }, / due\.date is in the past: 2/],
  [{ due: { date: inDays(3 * 366) } }, / due\.date .* 3 years /],
  [{ deliveryDeadline: { date: 46_357 } }, / deliveryDeadline\.date .*: 46357;/],
  [{ deliveryDeadline: { date: inDays(-1) } }, / deliveryDeadline\.date .*: 2/],
  [
    { due: { date: inDays(5), tz: tokyo }, deliveryDeadline: { date: inDays(4), tz: tokyo } },
    / deliveryDeadline\.date .* due date: .* Asia\/Tokyo/,
  ],
];
