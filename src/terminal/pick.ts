import { autocomplete, isCancel } from '@clack/prompts';
import { MarError } from '../errors.ts';
import { textMatcher } from '../values/match.ts';
import { Prompter } from './prompt.ts';
import { sanitise } from './sanitise.ts';
import type { Streams } from './streams.ts';
import { displayWidth, pad } from './width.ts';

export interface Choice {
  value: string;
  name: string;
}

export interface PickOptions {
  streams: Streams;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

const maxShown = 10;
/** More numbers than this are no longer a list that a screen reader can read. */
const maxNumbered = 20;

/** Lets the user choose from a list on standard error. Cancelling counts as Ctrl-C. */
export async function pick(
  label: string,
  choices: readonly Choice[],
  options: PickOptions,
): Promise<string> {
  if (options.env.ACCESSIBLE) return pickByNumber(label, choices, options);
  const { streams, signal } = options;
  const width = Math.max(...choices.map(({ value }) => displayWidth(value)));
  const lines = choices.map(({ value, name }) => ({
    value,
    label: sanitise(`${pad(value, width, 'left')}  ${name}`).trimEnd(),
  }));
  const picked = await autocomplete({
    message: label,
    options: lines,
    maxItems: maxShown,
    placeholder: 'type to filter',
    filter: (typed, { label: line = '' }) =>
      typed.trim() === '' || textMatcher(typed)(line) !== undefined,
    input: streams.stdin,
    output: streams.stderr.terminal,
    signal,
  });
  streams.stdin.unref?.();
  if (signal.aborted) throw signal.reason;
  if (isCancel(picked) || picked === undefined) throw new MarError('interrupted', 'interrupted');
  return picked;
}

/** `ACCESSIBLE=1`: nothing is repainted. */
async function pickByNumber(
  label: string,
  choices: readonly Choice[],
  { streams, signal }: PickOptions,
): Promise<string> {
  const shown = choices.slice(0, maxNumbered);
  const lines = shown.map(({ value, name }, at) =>
    sanitise(`${at + 1}. ${[value, name].filter(Boolean).join(', ')}`),
  );
  await streams.stderr.write(`${[label, ...lines].join('\n')}\n`);
  const prompter = new Prompter(streams.stdin, streams.stderr, signal);
  try {
    for (;;) {
      const typed = (await prompter.ask({ label: `Number, 1 to ${shown.length}` })).trim();
      const choice = /^\d+$/.test(typed) ? shown[Number(typed) - 1] : undefined;
      if (choice) return choice.value;
    }
  } finally {
    prompter.close();
  }
}
