import { ServiceRecord } from '../../json/serviceRecord.ts';
import { type Canvas, listResult, type Results, textResult } from '../../output/result.ts';
import type { View } from '../../output/view.ts';
import type { Context } from '../../session/context.ts';
import { plural } from '../../values/numbers.ts';
import { formatDate } from '../../values/time.ts';
import { wrapWords } from '../../values/width.ts';
import { type BoardRow, byUrgency } from './boardRows.ts';
import { whyOf } from './boardScreen.ts';
import { webAddress } from './webPage.ts';

/* The requests by the person that they wait for, as text for mails. */

const view: View = {
  columns: [
    { title: 'Waits for', path: 'name', importance: 5 },
    { title: 'E-mail', path: 'email', importance: 3 },
    { title: 'User id', path: 'user', importance: 1 },
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Status', path: 'status', kind: 'status', importance: 4 },
    { title: 'Since', path: 'since', kind: 'time', importance: 3 },
    { title: 'Due', path: 'due', kind: 'time', importance: 4 },
    { title: 'Missing', path: 'missing', importance: 3 },
    { title: 'Reason', path: 'reason', importance: 2 },
    { title: 'Asset', path: 'asset', importance: 3 },
    { title: 'Language', path: 'language', importance: 2 },
    { title: 'Territory', path: 'territory', importance: 2 },
    { title: 'Link', path: 'link', importance: 1 },
  ],
};

interface Person {
  user: string | null;
  name: string;
  email: string | null;
}

const nobody: Person = { user: null, name: 'Nobody is known', email: null };

function* peopleOf({ awaited }: BoardRow): Generator<Person> {
  for (const { id, name, email } of awaited) yield { user: id, name, email: email || null };
  if (awaited.length === 0) yield nobody;
}

export async function* byPerson(context: Context, rows: readonly BoardRow[]): Results {
  const blocks = new Map<string | null, { person: Person; rows: BoardRow[] }>();
  for (const row of [...rows].sort(byUrgency)) {
    for (const person of peopleOf(row)) {
      const block = blocks.get(person.user) ?? { person, rows: [] };
      block.person.email ??= person.email;
      block.rows.push(row);
      blocks.set(person.user, block);
    }
  }
  const { now } = context.session.clock;
  const texts = [...blocks.values()].map(({ person, rows: own }) => {
    const { name, email } = person;
    const address = email === null ? name : `${name} <${email}>`;
    const title = `${address}: ${plural(own.length, 'work request')}`;
    return [title, ...own.flatMap((row) => ['', ...mailLines(row, now)]), ''];
  });
  const lines = texts.length === 0 ? ['Nothing waits for anybody'] : texts.flat();
  const text = ({ isTerminal, columns }: Canvas) =>
    lines.flatMap((line) => (isTerminal ? wrapWords(line, columns, '  ') : [line]));
  yield textResult((canvas) => `${text(canvas).join('\n')}\n`, { onlyFor: 'people' });
  const records = [...blocks.values()].flatMap(({ person, rows: own }) =>
    own.map((row) => {
      const { status, reason, asset, language, territory, board } = row;
      const { since, due, missing } = board;
      const facts = {
        _id: row.id,
        status,
        since,
        due,
        missing,
        reason,
        asset,
        language,
        territory,
      };
      return ServiceRecord.fromValue({ ...person, ...facts, link: linkOf(row) });
    }),
  );
  yield listResult([records], view, { onlyFor: 'programs' });
}

const linkOf = ({ record }: BoardRow) => webAddress(record?.value) ?? null;

function mailLines(row: BoardRow, now: Date): string[] {
  const { id, asset, language, territory, timeLeft, board } = row;
  const due = board.due === null ? '' : `due ${formatDate(new Date(board.due))} (${timeLeft})`;
  const lines = [due, whyOf(row, now, ''), linkOf(row) ?? ''];
  const title = [id, asset, language, territory].filter(Boolean).join(', ');
  return [`- ${title}`, ...lines.filter(Boolean).map((line) => `  ${line}`)];
}
