import type { Context } from '../../context.ts';
import { type Json, printJson } from '../../json/value.ts';
import type { Column, Shown, View } from '../../terminal/view.ts';

/*
 * Records that the program has made, or taken out of others. People are shown pictures of them: a
 * view has their columns alone.
 */
const shown = (value: Json): Shown => ({ value, text: printJson(value) });
const viewOf = (columns: readonly Column[]): View => ({
  columns,
  card: () => ({ title: '', sections: [] }),
});

export const printPart = ({ printer }: Context, part: Json, columns: readonly Column[]) =>
  printer.record(shown(part), viewOf(columns));

export const printParts = (context: Context, parts: readonly Json[], columns: readonly Column[]) =>
  printRecords(context, parts.map(shown), columns);

/** Prints records whose exact text is known. */
export const printRecords = (
  { printer }: Context,
  records: readonly Shown[],
  columns: readonly Column[],
) => printer.list(inOnePage(records), viewOf(columns));

async function* inOnePage(records: readonly Shown[]): AsyncGenerator<Shown[]> {
  yield [...records];
}
