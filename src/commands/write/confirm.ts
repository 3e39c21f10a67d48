import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import type { Input, Option } from '../command.ts';

export const yesOption: Option = { flags: '-y, --yes', summary: 'do not ask before writing' };

export const needsConfirmation = (context: Context, { options }: Input): boolean =>
  context.isInteractive && !options.yes && !options.dryRun;

/** Asks on the terminal whether to write. A no ends the command. */
export async function confirm(context: Context): Promise<void> {
  const { streams, world } = context;
  const { baseUrl, email } = context.identity();
  const { Prompter } = await import('../../terminal/prompt.ts');
  const prompter = new Prompter(streams.stdin, streams.stderr, world.signal);
  try {
    const label = `Write this to ${baseUrl.host} as ${email}? (y/N)`;
    const reply = await prompter.ask({ label });
    if (/^\s*y(?:es)?\s*$/i.test(reply)) return;
  } finally {
    prompter.close();
  }
  context.reportOnce('nothing was written');
  throw new MarError('interrupted', 'nothing was written');
}
