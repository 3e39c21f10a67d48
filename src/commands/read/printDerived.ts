import type { Context } from '../../context.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { type Json, printJson } from '../../json/value.ts';
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

export const printParts = (context: Context, parts: readonly Json[], columns: readonly Column[]) =>
  printRecords(
    context,
    parts.map((part) => ServiceRecord.fromTree(part)),
    columns,
  );

/** Prints records whose exact text is known. */
export const printRecords = (
  { printer }: Context,
  records: readonly ServiceRecord[],
  columns: readonly Column[],
) => printer.list(inOnePage(records), viewOf(columns));

async function* inOnePage(records: readonly ServiceRecord[]): AsyncGenerator<ServiceRecord[]> {
  yield [...records];
}
