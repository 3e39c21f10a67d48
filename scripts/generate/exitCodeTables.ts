import { exitCodeRows, exitCodes, successMeaning } from '../../src/exitCodes.ts';
import { table, withGenerated } from './markdown.ts';

const source = 'src/exitCodes.ts';

/** README.md: one row for each code. */
export const withExitCodes = (page: string): string =>
  withGenerated(page, source, table(['Exit code', 'Meaning'], exitCodeRows()));

/** docs/exit-codes.md: one row for each kind of error. */
export function withErrorKinds(page: string): string {
  const rows = Object.entries(exitCodes).map(([kind, { code, meaning, next }]) => [
    String(code),
    `\`${kind}\``,
    meaning,
    next,
  ]);
  const header = ['Code', 'Kind', 'Meaning', 'What to do'];
  return withGenerated(page, source, table(header, [['0', '', successMeaning, ''], ...rows]));
}
