import type { Context } from '../../context.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import type { Json } from '../../json/value.ts';
import type { Column, View } from '../../terminal/view.ts';

/*
 * Records that the program has made, or taken out of others. People are shown pictures of them: a
 * view has their columns alone.
 */
const viewOf = (columns: readonly Column[]): View => ({
  columns,
  card: () => ({ title: '', sections: [] }),
});

export const printPart = ({ printer }: Context, part: Json, columns: readonly Column[]) =>
  printer.record(ServiceRecord.fromTree(part), viewOf(columns));

export const printParts = (
  { printer }: Context,
  parts: readonly Json[],
  columns: readonly Column[],
) => printer.list(inOnePage(parts.map((part) => ServiceRecord.fromTree(part))), viewOf(columns));

async function* inOnePage(records: ServiceRecord[]): AsyncGenerator<ServiceRecord[]> {
  yield records;
}
