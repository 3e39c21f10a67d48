import { type Effect, type Fault, parseFault } from './parseFault.ts';

export type FaultPlan = NonNullable<ReturnType<Faults['plan']>>;

/** The faults in force, and how often each was applied. */
export class Faults {
  readonly #initial: readonly string[];
  #active = new Map<string, ActiveFault>();

  constructor(faults: readonly string[] = []) {
    this.#initial = faults;
    this.replace(faults, '--fault');
  }

  /** Goes back to the faults of the start. Their counts start over. */
  reset(): void {
    this.#active.clear();
    this.replace(this.#initial, '--fault');
  }

  /** All of them, or none if one is invalid. A fault that was there before keeps its counts. */
  replace(texts: readonly string[], name: string): void {
    const faults = texts.map((text) => parseFault(text, name));
    const before = this.#active;
    this.#active = new Map(
      faults.map((fault) => [fault.text, before.get(fault.text) ?? new ActiveFault(fault)]),
    );
  }

  /** For the control API and the page. */
  state() {
    const active = [...this.#active.values()];
    return {
      faults: active.map(({ text, matched, applied }) => ({ fault: text, matched, applied })),
    };
  }

  /** How a request fails, by the first fault that applies; undefined if none does. Counts it. */
  plan(path: string) {
    for (const fault of this.#active.values()) {
      const effect = fault.effectOn(path);
      if (effect) return { effect, reason: `fault ${fault.text}` };
    }
    return undefined;
  }
}

type AppliedEffect = Exclude<Effect, { kind: 'limit' }>;

class ActiveFault {
  readonly #fault: Fault;
  matched = 0;
  applied = 0;
  /** Requests that a rate limit allows now, and when that was true. */
  #allowance: number;
  #allowedAt = performance.now();

  constructor(fault: Fault) {
    this.#fault = fault;
    this.#allowance = fault.effect.kind === 'limit' ? fault.effect.count : 0;
  }

  get text(): string {
    return this.#fault.text;
  }

  effectOn(path: string): AppliedEffect | undefined {
    const { matches, percent, effect } = this.#fault;
    if (!matches(path)) return undefined;
    const before = Math.floor((this.matched * percent) / 100);
    this.matched += 1;
    // Spread evenly: with 25%, every fourth request.
    if (Math.floor((this.matched * percent) / 100) === before) return undefined;
    const applied = effect.kind === 'limit' ? this.#overLimit(effect) : effect;
    if (applied) this.applied += 1;
    return applied;
  }

  /** A bucket that fills steadily: a client may use the whole limit at once, then has to wait. */
  #overLimit({ count, periodMs }: Extract<Effect, { kind: 'limit' }>): AppliedEffect | undefined {
    const now = performance.now();
    const refill = ((now - this.#allowedAt) * count) / periodMs;
    this.#allowance = Math.min(count, this.#allowance + refill);
    this.#allowedAt = now;
    if (this.#allowance >= 1) {
      this.#allowance -= 1;
      return undefined;
    }
    const waitMs = ((1 - this.#allowance) * periodMs) / count;
    return { kind: 'status', status: 429, retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) };
  }
}
