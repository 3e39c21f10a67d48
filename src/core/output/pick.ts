import { autocomplete, isCancel } from '@clack/prompts';
import { MarError } from '../errors.ts';
import { textMatcher } from '../values/match.ts';
import { sanitise } from '../values/sanitise.ts';
import { displayWidth, pad, truncate } from '../values/width.ts';
import { withPrompter } from './prompt.ts';
import type { TerminalWorld } from './streams.ts';

export interface Choice {
  id: string;
  text: string;
}

interface PickOptions extends TerminalWorld {
  /** Numbers instead of a frame that is repainted. */
  isPlain: boolean;
}

const maxShown = 10;
/** The frame and the mark before each line, and one free column at its end. */
const frameColumns = 6;
/** More numbers than this are no longer a list that a screen reader can read. */
const maxNumbered = 20;

/** Lets the user choose from a list on standard error. Cancelling counts as Ctrl-C. */
export async function pick(
  label: string,
  choices: readonly Choice[],
  options: PickOptions,
): Promise<string> {
  if (options.isPlain) return pickByNumber(label, choices, options);
  const { streams, signal } = options;
  const { stderr } = streams;
  const width = Math.max(...choices.map(({ id }) => displayWidth(id)));
  const lines = new Map(
    choices.map(({ id, text }) => [id, sanitise(`${pad(id, width, 'left')}  ${text}`)]),
  );
  // An earlier question has unreferenced it.
  streams.stdin.ref?.();
  const picked = await autocomplete<string>({
    message: label,
    // One line each: a wrapped list would not fit on the screen.
    options: [...lines].map(([value, line]) => ({
      value,
      label: truncate(line.trimEnd(), stderr.columns - frameColumns),
    })),
    maxItems: maxShown,
    placeholder: 'type to filter',
    filter: (typed, { value }) =>
      typed.trim() === '' || textMatcher(typed)(lines.get(value) ?? '') !== undefined,
    validate: (value) => (value === undefined ? 'Nothing matches these words.' : undefined),
    input: streams.stdin,
    output: stderr.terminal,
    signal,
  });
  streams.stdin.unref?.();
  if (signal.aborted) throw signal.reason;
  if (isCancel(picked) || picked === undefined) throw new MarError('interrupted', 'interrupted');
  return picked;
}

async function pickByNumber(
  label: string,
  choices: readonly Choice[],
  options: PickOptions,
): Promise<string> {
  const shown = choices.slice(0, maxNumbered);
  const lines = shown.map(({ id, text }, at) =>
    sanitise(`${at + 1}. ${[id, text].filter(Boolean).join(', ')}`),
  );
  await options.streams.stderr.write(`${[label, ...lines].join('\n')}\n`);
  return withPrompter(options, async (prompter) => {
    for (;;) {
      const typed = (await prompter.ask({ label: `Number, 1 to ${shown.length}` })).trim();
      const choice = /^\d+$/.test(typed) ? shown[Number(typed) - 1] : undefined;
      if (choice) return choice.id;
    }
  });
}
