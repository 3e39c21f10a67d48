import zsh from '../../completions/_mar?raw';
import bash from '../../completions/mar.bash?raw';
import fish from '../../completions/mar.fish?raw';
import powershell from '../../completions/mar.ps1?raw';
import type { Command } from './command.ts';

/** The scripts contain no command names: they call the program on each Tab, so they do not go stale. */
const scripts = { bash, zsh, fish, powershell };
const shells = Object.keys(scripts);

export const command: Command = {
  name: 'completion',
  summary: 'Make Tab complete commands, flags and ids',
  details:
    'The first lines of the script say how to install it for good. Ids are those that you have used; mar config set remember-ids off forgets them.',
  arguments: [{ name: 'shell', summary: shells.join(', '), choices: shells }],
  examples: [
    { does: 'bash: in this shell only', line: 'source <(mar completion bash)' },
    {
      does: 'bash: in every new shell, with the package bash-completion',
      line: 'mar completion bash > ~/.local/share/bash-completion/completions/mar',
    },
    {
      does: 'zsh: in every new shell, with ~/.zfunc in its fpath',
      line: 'mar completion zsh > ~/.zfunc/_mar',
    },
    {
      does: 'fish: in every new shell',
      line: 'mar completion fish > ~/.config/fish/completions/mar.fish',
    },
    { does: 'PowerShell: in every new shell', line: 'mar completion powershell >> $PROFILE' },
  ],
  async run(context, input) {
    const [shell] = input.arguments as [keyof typeof scripts];
    const script = scripts[shell];
    const { flags, streams } = context;
    // A shell loads the script when it starts, so no setting may change or break this output.
    if (!flags.format && !flags.jq) return streams.stdout.write(script);
    await context.printer.outcome({ shell, script }, script.trimEnd());
  },
};
