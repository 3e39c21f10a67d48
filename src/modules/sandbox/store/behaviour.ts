import { Service } from '../../../core/api/service.ts';
import { fromPlain, isObject, type Json, JsonNumber } from '../../../core/json/value.ts';
import { type KnownUnit, units } from '../../../core/values/time.ts';
import type { JsonResponse } from '../http/responses.ts';

/** The facts that are set for the service that the sandbox plays, by key (`status.shipped`), and their file. */
export interface Description {
  readonly file?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export type Behaviour = ReturnType<typeof behaviourOf>;

const timeFields = ['created', 'date', 'uploadDate', 'end', 'added'];

/**
 * The behaviour of the sandbox where services differ. Only what is set counts: an assumption says what a client
 * has to expect of a service, not what this one does.
 */
export function behaviourOf({ file, settings: own = {} }: Description = {}) {
  const common = new Service();
  const number = (key: string) => Number(own[key]) || undefined;
  const { milliseconds } = units[own['time.unit'] as KnownUnit] ?? units.ms;
  const time = (ms: number) => Math.floor(ms / milliseconds);
  const refusalStatus = number('error.status');
  /** The first status that means what this one of the demo data means. */
  const status = (name: string) => {
    const meaning = common.value('status', name);
    const isSame = (key: string) => /^status\.(?!\*$)/.test(key) && own[key] === meaning;
    return Object.keys(own).find(isSame)?.slice('status.'.length) ?? name;
  };
  /** A record of the demo data, or a part of it, with the times and statuses of the service. */
  const adapt = (json: Json, name = '', parent = ''): Json => {
    if (Array.isArray(json)) return json.map((one) => adapt(one, name, parent));
    if (isObject(json)) return new Map([...json].map(([key, one]) => [key, adapt(one, key, name)]));
    const isTime = json instanceof JsonNumber && timeFields.includes(name);
    if (isTime) return fromPlain(time(Number(json.source)));
    // Translations have statuses of their own.
    const isStatus = /^(?:status|\$statuses)$/.test(name) && !/translation$/i.test(parent);
    return isStatus && typeof json === 'string' ? status(json) : json;
  };
  const translation = (item: string) =>
    own[`translation.${item}`] ?? common.value('translation', item);
  return {
    file,
    adapt,
    now: () => time(Date.now()),
    firstStatus: own['order.first-status'] ?? status(common.value('order', 'first-status')),
    translation: {
      firstStatus: translation('first-status'),
      submitted: translation('submitted'),
    },
    /** Whether a PUT keeps the fields that its body lacks. */
    keepsMissing: own['put.missing'] === 'kept',
    pageLength: number('list.page') ?? Number.POSITIVE_INFINITY,
    /** The status behind the end of a list. Without one, an empty list is sent. */
    endStatus: number('list.end'),
    hasTotals: own['list.totals'] !== 'none',
    /** The response to a refused write. That to a failed login or an unknown record stays. */
    refuse: (method: string, response: JsonResponse): JsonResponse => {
      const isRefusal = method !== 'GET' && [400, 409].includes(response.status);
      if (!refusalStatus || !isRefusal) return response;
      const error = JSON.parse(response.body).error.message;
      return { ...response, status: refusalStatus, body: JSON.stringify({ error }) };
    },
  };
}
