import { type Effect, parseFault } from './parseFault.ts';

export type FaultPlan = NonNullable<ReturnType<Faults['plan']>>;

/** The faults in force, and how often each was applied. */
export class Faults {
  readonly #initial: readonly string[];
  #active: readonly ActiveFault[] = [];

  constructor(faults: readonly string[] = []) {
    this.#initial = faults;
    this.reset();
  }

  /** Goes back to the faults of the start. Their counts start over. */
  reset(): void {
    this.replace(this.#initial, '--fault');
  }

  /** All of them, or none if one is invalid. */
  replace(texts: readonly string[], name: string): void {
    this.#active = texts.map((text) => startFault(text, name));
  }

  state() {
    const faults = this.#active.map(({ fault, matched, applied }) => ({ fault, matched, applied }));
    return { faults };
  }

  /** How a request fails, by the first fault that applies; undefined if none does. Counts it. */
  plan(path: string) {
    for (const active of this.#active) {
      const effect = active.effectOn(path);
      if (effect) return { effect, reason: `fault ${active.fault}` };
    }
    return undefined;
  }
}

type Limit = Extract<Effect, { kind: 'limit' }>;
type AppliedEffect = Exclude<Effect, Limit>;
type ActiveFault = ReturnType<typeof startFault>;

function startFault(source: string, name: string) {
  const { text, matches, percent, effect } = parseFault(source, name);
  const overLimit = effect.kind === 'limit' ? bucket(effect) : undefined;
  return {
    fault: text,
    matched: 0,
    applied: 0,
    effectOn(path: string): AppliedEffect | undefined {
      if (!matches(path)) return undefined;
      const before = Math.floor((this.matched * percent) / 100);
      this.matched += 1;
      // Spread evenly: with 25%, every fourth request.
      if (Math.floor((this.matched * percent) / 100) === before) return undefined;
      const applied = effect.kind === 'limit' ? overLimit?.() : effect;
      if (applied) this.applied += 1;
      return applied;
    },
  };
}

/** A bucket that fills steadily: a client may use the whole limit at once, then has to wait. */
function bucket({ count, periodMs }: Limit): () => AppliedEffect | undefined {
  let allowance = count;
  let allowedAt = performance.now();
  return () => {
    const now = performance.now();
    allowance = Math.min(count, allowance + ((now - allowedAt) * count) / periodMs);
    allowedAt = now;
    if (allowance >= 1) {
      allowance -= 1;
      return undefined;
    }
    const waitMs = ((1 - allowance) * periodMs) / count;
    return { kind: 'status', status: 429, retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) };
  };
}
