import type { Role } from '../../../../core/api/service.ts';
import { downloadPages } from '../../../../core/commands/downloads/filters.ts';
import { nameOf } from '../../../../core/commands/viewParts.ts';
import { MarError } from '../../../../core/errors.ts';
import type { Input } from '../../../../core/input.ts';
import { textAt } from '../../../../core/json/fields.ts';
import { type Results, rowsResult } from '../../../../core/output/result.ts';
import type { Column } from '../../../../core/output/viewType.ts';
import { wholeList } from '../../../../core/reads/listRecords.ts';
import { safeText } from '../../../../core/records/look.ts';
import { holders } from '../../../../core/records/waitsFor.ts';
import type { Context } from '../../../../core/session/context.ts';
import { findPeople } from '../../../../core/writes/people.ts';
import type { Row } from './rows.ts';

const columns: readonly Column[] = [
  { title: 'Kind', path: 'kind', importance: 4 },
  { title: 'Id', path: '_id', kind: 'id' },
  { title: 'As', path: 'as', importance: 5 },
  { title: 'Name', path: 'name', importance: 3 },
];

/** The roles for which a record names users. */
const roles = ['orderer', 'translator', 'recipients'] as const;

/** The records that carry a person, as far as the service lists them: these work requests, and all downloads. */
export async function* carriersOf(
  context: Context,
  input: Input,
  { given, rows, source }: { given: string; rows: readonly Row[]; source: string },
): Results {
  const [user = given] = await findPeople(context).ids('--person', [given], true);
  const found: object[] = rows.flatMap(({ id, asset: name, record }) => {
    const isNamed = (role: Role) => holders(record?.value, role).some(([, one]) => one.id === user);
    const as = roles.filter(isNamed).join(', ');
    return as ? [{ kind: 'wr', _id: id, as, name }] : [];
  });
  let searched = source || 'no work requests';
  try {
    const ofUser = { ...input, options: { user } };
    for await (const page of downloadPages(context, ofUser, wholeList(context, input))) {
      for (const { value } of page) {
        const [id, name] = [textAt(value, '_id'), safeText(nameOf(value, 'file'))];
        found.push({ kind: 'download', _id: id, as: 'downloader', name });
      }
    }
    searched += ' and all downloads';
  } catch (error) {
    if (!(error instanceof MarError) || context.world.signal.aborted) throw error;
    context.reporter.warn('incomplete-search', `the downloads were not searched: ${error.message}`);
  }
  yield rowsResult(found, columns);
  context.reporter.reportAtEnd(
    `${found.length} found in ${searched}. The service lists no other work requests, events or notifications, so mar could not look there.`,
  );
}
