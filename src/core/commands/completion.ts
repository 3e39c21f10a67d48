import zsh from '../../../completions/_mar?raw';
import bash from '../../../completions/mar.bash?raw';
import fish from '../../../completions/mar.fish?raw';
import powershell from '../../../completions/mar.ps1?raw';
import { outcome, textResult } from '../output/result.ts';
import type { Command } from './command.ts';

/** The scripts contain no command names: they call the program on each Tab, so they do not go stale. */
const scripts = { bash, zsh, fish, powershell };
const shells = Object.keys(scripts);

export const command: Command = {
  printsText: true,
  summary: 'Print the completion script for a shell',
  details:
    'Tab then completes commands, flags and ids you have used. The first lines of the script explain how to install it.',
  arguments: [{ name: 'shell', summary: shells.join(', '), choices: shells }],
  examples: {
    'bash, this shell only': 'source <(mar completion bash)',
    'bash, new shells':
      "mar completion bash > ~/.mar.bash && echo 'source ~/.mar.bash' >> ~/.bashrc",
    'zsh, every new shell (needs ~/.zfunc in fpath, and compinit)':
      'mkdir -p ~/.zfunc && mar completion zsh > ~/.zfunc/_mar',
    'fish, every new shell':
      'mkdir -p ~/.config/fish/completions && mar completion fish > ~/.config/fish/completions/mar.fish',
    'PowerShell, every new shell (needs the folder of $PROFILE)':
      'mar completion powershell >> $PROFILE',
  },
  async *run({ flags: { format, jq } }, input) {
    const [shell] = input.arguments as [keyof typeof scripts];
    const script = scripts[shell];
    // A shell loads the script when it starts, so no setting may change or break this output.
    yield format || jq ? outcome({ shell, script }, script.trimEnd()) : textResult(script);
  },
};
