import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { powershell } from './powershell.ts';
import { zsh } from './zsh.ts';

/**
 * The scripts that shells load, and what each is called after the custom of its shell. They hold no
 * command's name: at each Tab they ask the program, so they need not be made anew when it is.
 */
export const scripts = {
  bash: { file: 'mar.bash', text: bash },
  zsh: { file: '_mar', text: zsh },
  fish: { file: 'mar.fish', text: fish },
  powershell: { file: 'mar.ps1', text: powershell },
};
