/** The items of each group, in their order: `Map.groupBy`, which Node 20 does not have. */
export function groupBy<Item>(items: Iterable<Item>, groupOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = groupOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
