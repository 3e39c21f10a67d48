import { mar } from './mar.ts';

/** What each line of this text holds. */
export const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The lines of standard error, each of which must be JSON. */
export async function linesOf(argv: readonly string[], env: Record<string, string>) {
  const { stderr } = await mar([...argv, '--json'], { env });
  return stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
