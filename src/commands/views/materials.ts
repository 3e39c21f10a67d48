import type { CardSection } from '../../terminal/card.ts';
import { fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { paintLeading } from '../../terminal/status.ts';
import type { CardTools } from '../../terminal/view.ts';
import { items, type Row, strayList } from './reading.ts';

/** The materials of a work request, and in the heading how many of them are missing. */
export function materialsSection(record: unknown, show: CardTools): CardSection {
  const materials = items(record, 'materials');
  const missing = materials.filter((material) => valueAt(material, 'complete') === false).length;
  return {
    heading: missing === 0 ? 'Materials' : `Materials, ${missing} of ${materials.length} missing`,
    rows: [
      ...materials.map((material, index) => row(material, index, show)),
      ...strayList(record, 'materials', 'Materials', show),
    ],
  };
}

function row(material: unknown, index: number, show: CardTools): Row {
  if (fieldsOf(material) === undefined) return [String(index + 1), show.cell(material)];
  const name = show.cell(valueAt(material, 'name')) || String(index + 1);
  const complete = valueAt(material, 'complete');
  const state = stateOf(complete, show);
  // That a missing one is not approved goes without saying.
  const isRefused = complete === true && valueAt(material, 'approved') === false;
  const text = isRefused ? `${state}, not approved yet` : state;
  return [name, { text, paint: paintLeading(state) }];
}

function stateOf(complete: unknown, show: CardTools): string {
  if (typeof complete !== 'boolean') return show.cell(complete) || 'not said';
  return complete ? 'complete' : 'missing';
}
