import type { Context } from '../../context.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import type { Json } from '../../json/value.ts';
import type { Column } from '../../terminal/view.ts';

/*
 * Records that the program has made, or taken out of others. People are shown pictures of them: a
 * view has their columns alone.
 */
export const printPart = ({ printer }: Context, part: Json, columns: readonly Column[]) =>
  printer.record(ServiceRecord.fromTree(part), { columns });

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
) => printer.records(records, { columns });
