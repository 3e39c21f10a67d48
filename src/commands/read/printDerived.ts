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

export const printParts = (
  { printer }: Context,
  parts: readonly Json[],
  columns: readonly Column[],
) => printer.list(inOnePage(parts.map(shown)), viewOf(columns));

async function* inOnePage(records: Shown[]): AsyncGenerator<Shown[]> {
  yield records;
}
