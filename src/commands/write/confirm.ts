import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { Prompter } from '../../terminal/prompt.ts';

/** Asks whether to write, on a terminal. A no ends the command; nothing is written then. */
export async function confirm(context: Context): Promise<void> {
  const { streams, world } = context;
  const { baseUrl, email } = context.identity();
  const prompter = new Prompter(streams.stdin, streams.stderr, world.signal);
  try {
    const label = `Write this to ${baseUrl.host} as ${email}? (y/N)`;
    const answer = await prompter.ask({ label });
    if (/^\s*y(?:es)?\s*$/i.test(answer)) return;
  } finally {
    prompter.close();
  }
  context.note('nothing was written');
  throw new MarError('interrupted', 'nothing was written');
}
