import type { Context } from '../../context.ts';
import { orUndefined } from '../../errors.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import type { Fingerprint } from '../../records/fingerprint.ts';
import type { FoundRecord } from '../read/get.ts';

const kind = 'AssetState';
const maxStates = 4;

/**
 * The states of assets that the user has seen, as fingerprints. A later write is refused if it would
 * undo what others changed since then.
 */
export class SeenAssets {
  readonly #context: Context;
  readonly #Fingerprint: typeof Fingerprint;
  readonly #states = new Map<string, Fingerprint[]>();

  /** Loads node:crypto, which `asset get` needs only after its output is printed. */
  static async open(context: Context): Promise<SeenAssets> {
    const { Fingerprint } = await import('../../records/fingerprint.ts');
    return new SeenAssets(context, Fingerprint);
  }

  private constructor(context: Context, fingerprint: typeof Fingerprint) {
    this.#context = context;
    this.#Fingerprint = fingerprint;
    for (const { id, text } of context.memory.entries(kind).reverse()) {
      const state = fingerprint.parse(text);
      if (state) this.#add(withoutSalt(id), state);
    }
  }

  /** The oldest first. */
  statesOf(id: string): readonly Fingerprint[] {
    return this.#states.get(id) ?? [];
  }

  /** Does nothing if the last state that was seen is the same. */
  async remember(id: string, record: JsonObject): Promise<void> {
    const { interruptible, now } = this.#context.world;
    const state = interruptible(() =>
      this.statesOf(id).at(-1)?.isOf(record) ? undefined : this.#Fingerprint.of(record),
    );
    if (!state) return;
    this.#add(id, state);
    const at = now().getTime();
    // Each state is an entry of its own, so its id has a part that no other state has.
    await this.#context.memory.add([{ kind, id: `${id}\t${state.salt}`, text: String(state), at }]);
  }

  #add(id: string, state: Fingerprint): void {
    this.#states.set(id, [...this.statesOf(id), state].slice(-maxStates));
  }
}

const withoutSalt = (id: string) => id.slice(0, id.lastIndexOf('\t'));

export function rememberPrinted(context: Context): (found: FoundRecord) => Promise<void> {
  let seen: SeenAssets | undefined;
  return async ({ id, record }) => {
    if (context.memory.isOff) return;
    const tree = orUndefined(() => context.world.interruptible(() => record.tree));
    if (!isObject(tree) || tree.get('_id') !== id) return;
    seen ??= await SeenAssets.open(context);
    await seen.remember(id, tree);
  };
}
