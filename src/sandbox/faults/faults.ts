import { createHash, randomInt } from 'node:crypto';
import { hasShape, type Shape } from '../../api/schemaMismatch.ts';
import { usageError } from '../../errors.ts';
import { seededRandom } from '../seededRandom.ts';
import { type Fault, parseFault, parseRateLimit, type RateLimit } from './parseFault.ts';

export type FaultPlan = NonNullable<ReturnType<Faults['plan']>>;

export interface FaultSettings {
  /** Each as on the command line, or with a switch. */
  faults?: readonly (string | { fault: string; enabled?: boolean })[];
  /** `20/s`; null for no limit. */
  rateLimit?: string | null | undefined;
  /** Decides which requests fail, for a fault with a share. */
  seed?: number | undefined;
}

const faultsShape: Shape = { array: { anyOf: ['s', { fields: { '!fault': 's', enabled: 'b' } }] } };

const settings = new Map<string, [shape: Shape, expected: string]>([
  ['faults', [faultsShape, 'an array of strings, or of {"fault":"…","enabled":true}']],
  ['rateLimit', [{ anyOf: ['s', 'n'] }, 'a string such as "20/s", or null']],
  ['seed', ['i', 'an integer']],
]);

/** Checks the settings in a request to the control API. */
export function readFaultSettings(body: unknown): FaultSettings {
  for (const [name, value] of Object.entries(body as object)) {
    const [shape, expected] = settings.get(name) ?? [];
    if (!shape)
      throw usageError(`unknown field ${name}; known: ${[...settings.keys()].join(', ')}`);
    if (!hasShape(shape, value)) throw usageError(`${name} must be ${expected}`);
  }
  return body as FaultSettings;
}

interface ActiveFault {
  readonly fault: Fault;
  enabled: boolean;
  matched: number;
  applied: number;
  readonly random: () => number;
}

const maxFaults = 100;

/** The faults in force, and how often each was applied. */
export class Faults {
  readonly #initial: FaultSettings;
  #active: readonly ActiveFault[] = [];
  #seed: number;
  #limit: RateLimit | undefined;
  /** Requests that the rate limit allows now, and when that was true. */
  #allowance = 0;
  #allowedAt = 0;
  #limited = 0;

  constructor({ seed = randomInt(1_000_000), faults = [], rateLimit = null }: FaultSettings = {}) {
    this.#seed = seed;
    this.#initial = { seed, faults, rateLimit };
    this.change(this.#initial, '--');
  }

  /** Goes back to the faults of the start. Their counts and random numbers start over. */
  reset(): void {
    this.change(this.#initial);
  }

  /**
   * Replaces the settings that are given: all of them, or none if one is invalid. A fault that was
   * there before keeps its counts, unless a seed is given.
   */
  change(settings: FaultSettings, flag = ''): void {
    const { seed, rateLimit, faults = this.state().faults } = settings;
    if (faults.length > maxFaults) throw usageError(`there can be at most ${maxFaults} faults`);
    const parsed = faults.map((one, at) => {
      const { fault, enabled = true } = typeof one === 'string' ? { fault: one } : one;
      return { fault: parseFault(fault, flag ? `${flag}fault` : `faults[${at}]`), enabled };
    });
    const limitName = flag ? `${flag}rate-limit` : 'rateLimit';
    const limit = rateLimit ? parseRateLimit(rateLimit, limitName) : undefined;
    const isFresh = seed !== undefined;
    if (isFresh) this.#seed = seed;
    const before = isFresh ? [] : [...this.#active];
    this.#active = parsed.map(({ fault, enabled }) => {
      const at = before.findIndex((one) => one.fault.text === fault.text);
      const [known] = at < 0 ? [] : before.splice(at, 1);
      if (known) return Object.assign(known, { enabled });
      const random = seededRandom(hashOf(`${this.#seed} ${fault.text}`));
      return { fault, enabled, matched: 0, applied: 0, random };
    });
    if (rateLimit !== undefined && (isFresh || limit?.text !== this.#limit?.text)) {
      this.#limit = limit;
      this.#allowance = limit?.count ?? 0;
      this.#allowedAt = performance.now();
      this.#limited = 0;
    }
  }

  /** For the control API and the page. */
  state() {
    return {
      seed: this.#seed,
      rateLimit: this.#limit?.text ?? null,
      limited: this.#limited,
      faults: this.#active.map(({ fault, enabled, matched, applied }) => ({
        fault: fault.text,
        enabled,
        matched,
        applied,
      })),
    };
  }

  /** How a request fails; undefined if it is to be handled as usual. Counts it. */
  plan(method: string, path: string) {
    const limited = this.#overLimit();
    if (limited) return limited;
    const applied = this.#active.filter((one) => isDue(one, method, path));
    if (applied.length === 0) return undefined;
    // Delays add up; only one fault can decide what the response is.
    const deciding = applied.find(({ fault }) => fault.effect);
    const kept = applied.filter((one) => one === deciding || !one.fault.effect);
    for (const one of kept) one.applied += 1;
    return {
      delayMs: kept.reduce((sum, { fault }) => sum + fault.latencyMs, 0),
      effect: deciding?.fault.effect,
      /** For the log and for the client: the faults as they were written. */
      reason: `fault ${kept.map(({ fault }) => fault.text).join(', ')}`,
    };
  }

  /** A bucket that fills steadily: a client may use the whole limit at once, then has to wait. */
  #overLimit() {
    if (!this.#limit) return undefined;
    const { count, periodMs, text } = this.#limit;
    const now = performance.now();
    const refill = ((now - this.#allowedAt) * count) / periodMs;
    this.#allowance = Math.min(count, this.#allowance + refill);
    this.#allowedAt = now;
    if (this.#allowance >= 1) {
      this.#allowance -= 1;
      return undefined;
    }
    this.#limited += 1;
    const waitMs = ((1 - this.#allowance) * periodMs) / count;
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
    const effect = { kind: 'status', status: 429, retryAfter } as const;
    return { delayMs: 0, effect, reason: `rate limit ${text}` };
  }
}

function isDue(one: ActiveFault, method: string, path: string): boolean {
  const { fault } = one;
  if (!one.enabled || !fault.matches(method, path)) return false;
  one.matched += 1;
  return one.matched % fault.every === 0 && one.random() < fault.share;
}

/** The same number for the same text. */
const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();
