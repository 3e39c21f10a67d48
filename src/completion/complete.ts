import { type Completion, type CompletionHost, completeWord, localSource } from './completeWord.ts';
import {
  bashResponse,
  fishResponse,
  powershellResponse,
  readBashLine,
  zshResponse,
} from './shells.ts';

const onlyFiles: Completion = { candidates: [], paths: 'file' };

/** A failure offers nothing, because Tab is not the place for an error message. */
export async function complete(
  [shell, ...given]: readonly string[],
  host: CompletionHost,
): Promise<string> {
  const { env } = host;
  try {
    const source = localSource(host);
    switch (shell) {
      case 'bash': {
        const [text = '', breaks = '', type = '', columns] = given;
        const line = readBashLine(text, breaks);
        const found = line.isRedirected
          ? onlyFiles
          : await completeWord(line.words.slice(1), source);
        return bashResponse(found, line, { type, columns: Number(columns) || 80 });
      }
      case 'zsh':
        return zshResponse(await completeWord(given, source));
      case 'fish':
        return fishResponse(await completeWord(given, source));
      case 'powershell': {
        // A variable, because older versions lose empty arguments, and quotes in arguments.
        const words = (env.MAR_COMPLETE_WORDS ?? '').split('\n');
        return powershellResponse(await completeWord(words, source), words.at(-1) ?? '');
      }
      default:
        return '';
    }
  } catch {
    return '';
  }
}
