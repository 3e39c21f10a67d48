import { textMatcher } from '../values/match.ts';
import { sanitise } from '../values/sanitise.ts';
import { withPrompter } from './prompt.ts';
import type { TerminalWorld } from './streams.ts';

export interface Choice {
  id: string;
  text: string;
}

/** More would scroll the question off the screen, and a screen reader reads them all. */
const maxShown = 15;

/** Lets the user choose on standard error: by a number, or by words that leave fewer choices. */
export function pick(
  question: string,
  choices: readonly Choice[],
  world: TerminalWorld,
): Promise<string> {
  const { stderr } = world.streams;
  return withPrompter(world, async ({ ask }) => {
    let found = choices;
    for (;;) {
      const shown = found.slice(0, maxShown);
      const lines = shown.map(({ id, text }, at) =>
        sanitise(`${at + 1}. ${[id, text].filter(Boolean).join(', ')}`),
      );
      await stderr.write(`${[question, ...lines].join('\n')}\n`);
      const label = `Number, 1 to ${shown.length}, or words to search for`;
      const typed = (await ask({ label })).trim();
      const choice = shown[Number(typed || 0) - 1] ?? choices.find(({ id }) => id === typed);
      if (choice) return choice.id;
      const matches = textMatcher(typed);
      found = choices.filter(({ id, text }) => matches(`${id} ${text}`));
      if (found.length > 0) continue;
      await stderr.write('Nothing matches these words.\n');
      found = choices;
    }
  });
}
