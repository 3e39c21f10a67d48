import type { CommandWord, Hint } from '../errors.ts';
import { printedCommand, words } from './commandLine.ts';
import { sanitise, sanitiseLines } from './sanitise.ts';
import { type Screen, wrapMessage } from './width.ts';

/** Words after `mar` whose commands use no profile. A setting of the service, `status.shipped=done`, belongs to one. */
const withoutProfile = ['help', 'schema', 'completion', 'sandbox', 'version', 'profile', 'config'];

/** Adds `--profile` to a command of `mar`, for a run that was told which profile to use. */
export function withProfile(
  command: readonly CommandWord[],
  profile: string | undefined,
): readonly CommandWord[] {
  const [program, word] = command;
  const isOfService = word === 'config' && command.some((one) => String(one).includes('='));
  const isOther = program !== 'mar' || (withoutProfile.includes(String(word)) && !isOfService);
  if (!profile || isOther || command.some((one) => one === '--help' || one === '--profile')) {
    return command;
  }
  return [...command, ...words`--profile ${profile}`];
}

export const hintLine = ({ text, command }: Hint, profile?: string): string =>
  command ? `${text} ${printedCommand(withProfile(command, profile))}` : text;

/** The commands of hints that a program can run: without words to replace, and without a person's decision. */
export const commandsOf = (hints: readonly Hint[], profile?: string): (readonly string[])[] =>
  hints.flatMap(({ command = [], for: reader }) => {
    const whole = withProfile(command, profile);
    const plain = whole.filter((word) => typeof word === 'string');
    const isComplete = plain[0] === 'mar' && plain.length === whole.length;
    return isComplete && reader !== 'person' ? [plain] : [];
  });

/** Flags that only a person may use: a program would follow a hint that names one. */
const personFlags = /--(?:again|force|skip-checks)\b/;
const askPerson =
  'To do it anyway, ask the user: only a person may overwrite, repeat or skip a check.';

export function linesForPrograms(hints: readonly Hint[], profile: string | undefined): string[] {
  const lines = hints.map((hint) => hintLine(hint, profile));
  return [...new Set(lines.map((line) => (personFlags.test(line) ? askPerson : line)))];
}

export interface HintScreen {
  screen: Screen;
  platform: NodeJS.Platform;
  profile: string | undefined;
  /** Removes known secrets. A line break inside a secret would hide it later. */
  clean(text: string): string;
}

/** The lines of a hint or message on a screen. Each line starts with the margin. */
export function fittedLines(
  { text, command }: Hint,
  { screen, platform, profile, clean }: HintScreen,
  margin = '',
): string[] {
  const printed = command && sanitise(clean(printedCommand(withProfile(command, profile))));
  return sanitiseLines(clean(text)).flatMap((line, at, all) => {
    const isLast = at === all.length - 1;
    const indent = margin || ' '.repeat(line.length - line.trimStart().length + 2);
    return wrapMessage(margin + line, screen, { indent, platform }, isLast ? printed : undefined);
  });
}
