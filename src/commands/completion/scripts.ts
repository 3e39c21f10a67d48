import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { powershell } from './powershell.ts';
import { zsh } from './zsh.ts';

/**
 * The scripts that shells load. They hold no command's name: at each Tab they ask the program, so
 * they need not be made anew when it is.
 */
export const scripts = { bash, zsh, fish, powershell };

/** What each is called among the published files, after the custom of its shell. */
export const scriptNames: Readonly<Record<keyof typeof scripts, string>> = {
  bash: 'mar.bash',
  zsh: '_mar',
  fish: 'mar.fish',
  powershell: 'mar.ps1',
};
