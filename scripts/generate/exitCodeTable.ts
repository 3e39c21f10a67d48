import { exitCodes, successMeaning } from '../../src/core/errors.ts';
import { table, withGenerated } from './markdown.ts';

/** The page with one row for each kind of error. */
export function withErrorKinds(page: string): string {
  const rows = Object.entries(exitCodes).map(([kind, { code, meaning, next }]) => [
    String(code),
    `\`${kind}\``,
    meaning,
    next,
  ]);
  const header = ['Code', 'Kind', 'Meaning', 'What to do'];
  return withGenerated(
    page,
    'src/core/errors.ts',
    table(header, [['0', '', successMeaning, ''], ...rows]),
  );
}
