import type { Environment } from '../config/folders.ts';
import { bashAnswer, fishAnswer, powershellAnswer, zshAnswer } from './answers.ts';
import { readBashLine } from './bashLine.ts';
import { type Known, type Offer, offer } from './candidates.ts';
import { localKnowledge } from './known.ts';

/** What completion needs to know of where it runs. */
export interface Surroundings {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
}

/**
 * Answers a shell's script, which gives its name and then what it knows of the command line. In
 * doubt there is nothing to offer: what is in the way of Tab is not told to who pressed it.
 */
export async function complete(
  [shell, ...given]: readonly string[],
  { env, platform }: Surroundings,
): Promise<string> {
  try {
    return await answer(shell, given, env, localKnowledge(env, platform));
  } catch {
    return '';
  }
}

async function answer(
  shell: string | undefined,
  given: readonly string[],
  env: Environment,
  known: Known,
): Promise<string> {
  switch (shell) {
    case 'bash': {
      const [text = '', breaks = '', type = '', columns] = given;
      const line = readBashLine(text, breaks);
      const files: Offer = { candidates: [], paths: 'file', before: '' };
      const found = line.isRedirected ? files : await offer(line.words.slice(1), known);
      return bashAnswer(found, line, { type, columns: Number(columns) || 80 });
    }
    case 'zsh':
      return zshAnswer(await offer(given, known));
    case 'fish':
      return fishAnswer(await offer(given, known));
    case 'powershell': {
      // In a variable: older ones lose empty arguments, and quotes in arguments.
      const words = (env.MAR_COMPLETE_WORDS ?? '').split('\n');
      return powershellAnswer(await offer(words, known), words.at(-1) ?? '');
    }
    default:
      return '';
  }
}
