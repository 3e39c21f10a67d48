import type { Context } from '../../context.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import type { Json } from '../../json/value.ts';
import type { Column } from '../../terminal/view.ts';

/*
 * Prints values that the program made itself, or took out of a record. There is no card for them;
 * for a terminal, each command draws its own picture.
 */

export const printDerivedList = (
  { printer }: Context,
  values: readonly Json[],
  columns: readonly Column[],
) => printer.list([values.map((value) => ServiceRecord.fromTree(value))], { columns });
