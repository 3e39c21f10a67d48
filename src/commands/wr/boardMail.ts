import { ServiceRecord } from '../../json/serviceRecord.ts';
import { type Canvas, listResult, type Results, textResult } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import { plural } from '../../values/numbers.ts';
import { formatDate } from '../../values/time.ts';
import { wrapWords } from '../../values/width.ts';
import type { BoardRow } from './boardRows.ts';
import { whyOf } from './boardScreen.ts';
import { byUrgency } from './boardSections.ts';
import { webAddress } from './webPage.ts';

/** The requests by the person that they wait for: as text for mails, and as a row for each of both. */
export async function* byPerson(context: Context, rows: readonly BoardRow[]): Results {
  const people = new Map<string, { name: string; email: string; rows: BoardRow[] }>();
  const nobody = { id: '', name: 'Nobody is known', email: '' };
  for (const row of [...rows].sort(byUrgency)) {
    for (const { id, name, email } of row.awaited.length > 0 ? row.awaited : [nobody]) {
      const known = people.get(id) ?? { name, email, rows: [] };
      people.set(id, { name, email: known.email || email, rows: [...known.rows, row] });
    }
  }
  const { now } = context.session.clock;
  const lines = [...people.values()].flatMap(({ name, email, rows: own }) => [
    `${email ? `${name} <${email}>` : name}: ${plural(own.length, 'work request')}`,
    ...own.flatMap((row) => ['', ...mailLines(row, now)]),
    '',
  ]);
  if (lines.length === 0) lines.push('Nothing waits for anybody');
  const text = ({ isTerminal, columns }: Canvas) =>
    lines.flatMap((line) => (isTerminal ? wrapWords(line, columns, '  ') : [line]));
  yield textResult((canvas) => `${text(canvas).join('\n')}\n`, { onlyFor: 'people' });
  const records = [...people.values()].flatMap(({ name, email, rows: own }) =>
    own.map(({ id: _id, status, asset, language, territory, reason, board, record }) => {
      const { since, due, missing } = board;
      const facts = { _id, status, since, due, missing, reason, asset, language, territory };
      return ServiceRecord.fromValue({ name, email, ...facts, link: webAddress(record?.value) });
    }),
  );
  yield listResult([records], { columns: [] }, { onlyFor: 'programs' });
}

function mailLines(row: BoardRow, now: Date): string[] {
  const { id, asset, language, territory, timeLeft, board, record } = row;
  const due = board.due === null ? '' : `due ${formatDate(new Date(board.due))} (${timeLeft})`;
  const lines = [due, whyOf(row, now, ''), webAddress(record?.value) ?? ''];
  const title = [id, asset, language, territory].filter(Boolean).join(', ');
  return [`- ${title}`, ...lines.filter(Boolean).map((line) => `  ${line}`)];
}
