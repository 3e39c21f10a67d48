import type { Context } from '../../context.ts';
import { type Json, printJson } from '../../json/value.ts';
import type { Column, Shown, View } from '../../terminal/view.ts';

/*
 * Prints values that the program made itself, or took out of a record. They have columns but no
 * card: on a terminal, their commands draw something of their own.
 */

const recordOf = (value: Json): Shown => ({ value, text: printJson(value) });

const viewOf = (columns: readonly Column[]): View => ({
  columns,
  card: () => ({ title: '', sections: [] }),
});

export const printDerived = ({ printer }: Context, value: Json, columns: readonly Column[]) =>
  printer.record(recordOf(value), viewOf(columns));

export function printDerivedList(
  { printer }: Context,
  values: readonly Json[],
  columns: readonly Column[],
): Promise<void> {
  async function* onePage() {
    yield values.map(recordOf);
  }
  return printer.list(onePage(), viewOf(columns));
}
