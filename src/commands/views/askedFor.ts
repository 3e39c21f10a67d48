import type { CardSection } from '../../terminal/card.ts';
import { fieldOf, fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import type { CardTools } from '../../terminal/view.ts';
import { type Row, rows, stray } from './reading.ts';

/** What a work request asks for: kinds of work, and where the result is used. */
export const askedFor = (record: unknown, show: CardTools): CardSection => ({
  heading: 'Asked for',
  rows: [
    ...rows(record, show, [
      ['Dialogue', 'dng.dialogue'],
      ['Graphics', 'dng.graphics'],
      ['Narration', 'dng.narration'],
    ]),
    ...stray(record, 'dng', 'Work', show),
    ...uses(record, show),
    ...stray(record, 'uses', 'Uses', show),
    ...rows(record, show, [['DCP', (wr) => show.cell(valueAt(wr, 'dcp.items'))]]),
    ...stray(record, 'dcp', 'DCP', show),
  ],
});

/** One row a use: those that are listed, and those that only have details. */
function uses(record: unknown, show: CardTools): Row[] {
  const details = valueAt(record, 'uses.details');
  const listed = [valueAt(record, 'uses.items')].flat().map(show.cell);
  const detailed = (fieldsOf(details) ?? []).map(([name]) => name);
  const names = [...new Set([...listed, ...detailed])].filter((name) => name !== '');
  return names.map((name) => {
    const detail = fieldOf(details, name);
    const parts = Array.isArray(detail) ? detail : [detail];
    const text = parts
      .map((part: unknown) => oneUse(part, show))
      .filter((shown) => shown !== '')
      .join(', ');
    return [name, text || (listed.includes(name) ? 'yes' : '')];
  });
}

function oneUse(detail: unknown, show: CardTools): string {
  const value = show.cell(fieldsOf(detail) === undefined ? detail : valueAt(detail, 'value'));
  return valueAt(detail, 'ship') === true ? `${value} (to be shipped)`.trim() : value;
}
