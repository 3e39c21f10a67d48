import { sanitise } from '../values/sanitise.ts';
import type { TerminalWorld } from './streams.ts';

/** Terminals that show the text of OSC 9 as a notification. Others get the bell, which all know. */
const showsText = /^(?:iTerm\.app|WezTerm|ghostty|rio)$/;
const showsTextByType = /^(?:xterm-kitty|xterm-ghostty|foot)/;

const bell = '\u0007';

/** Calls the user back to a terminal. Writes no visible text. */
export async function notify({ streams, env }: TerminalWorld, text: string): Promise<void> {
  const { stderr } = streams;
  if (!stderr.isTerminal) return;
  const isShown = showsText.test(env.TERM_PROGRAM ?? '') || showsTextByType.test(env.TERM ?? '');
  // A terminal that is gone needs no notification.
  await stderr.write(isShown ? `\u001b]9;mar: ${sanitise(text)}\u001b\\` : bell).catch(() => {});
}
