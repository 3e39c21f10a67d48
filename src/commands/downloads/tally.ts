import { cellText } from '../../terminal/cell.ts';
import { fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { localDay, readTime, type TimeUnit } from '../../terminal/time.ts';

/** What downloads can be counted by. */
export const groupings = ['day', 'project', 'asset', 'user', 'type'] as const;
export type Grouping = (typeof groupings)[number];

/** Some downloads that have something in common. */
export interface Group {
  /** The day, the type or the id; nothing for those that do not say. */
  key?: string;
  /** Of what has an id, where the service sends it. */
  name?: string;
  count: number;
}

/** Counts downloads as they come, and keeps the counts alone. */
export class Tally {
  readonly #by: Grouping;
  readonly #unit: TimeUnit;
  readonly #groups = new Map<string, Group>();
  total = 0;

  constructor(by: Grouping, unit: TimeUnit) {
    this.#by = by;
    this.#unit = unit;
  }

  add(download: unknown): void {
    const { key, name } = this.#read(download);
    // Without an id, what has the same name is the same; a name is no id.
    const slot = key === undefined ? `name ${name ?? ''}` : `id ${key}`;
    const group = this.#groups.get(slot) ?? { key, name, count: 0 };
    group.name ??= name;
    group.count += 1;
    this.total += 1;
    this.#groups.set(slot, group);
  }

  /** Days in their order, those without a download between them too; all else by how many. */
  groups(): Group[] {
    const groups = [...this.#groups.values()];
    const known = groups.filter(isKnown);
    const unknown = groups.filter((group) => !isKnown(group));
    return [...(this.#by === 'day' ? everyDay(known) : known.sort(byCount)), ...unknown];
  }

  #read(download: unknown): Omit<Group, 'count'> {
    switch (this.#by) {
      case 'day': {
        const date = readTime(valueAt(download, 'created'), this.#unit);
        return { key: date && localDay(date) };
      }
      case 'type':
        return { key: said(valueAt(download, 'asset.type')) };
      default:
        return reference(valueAt(download, this.#by));
    }
  }
}

export const isKnown = ({ key, name }: Group): boolean => key !== undefined || name !== undefined;

/** What is referred to by its id or embedded. */
function reference(value: unknown): Omit<Group, 'count'> {
  if (fieldsOf(value) === undefined) return { key: Array.isArray(value) ? undefined : said(value) };
  return { key: said(valueAt(value, '_id')), name: said(valueAt(value, 'name')) };
}

const said = (value: unknown): string | undefined => cellText(value) || undefined;

function byCount(a: Group, b: Group): number {
  const label = ({ key, name }: Group) => name ?? key ?? '';
  return b.count - a.count || (label(a) < label(b) ? -1 : 1);
}

const dayMs = 24 * 60 * 60 * 1000;

function everyDay(groups: readonly Group[]): Group[] {
  const counts = new Map(groups.map(({ key = '', count }) => [key, count]));
  const days = [...counts.keys()].sort();
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const filled: Group[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs) {
    const key = new Date(at).toISOString().slice(0, 10);
    filled.push({ key, count: counts.get(key) ?? 0 });
  }
  return filled;
}
