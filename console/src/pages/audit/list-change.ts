interface ListItem {
  readonly item: string;
  readonly isAdded: boolean;
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The one member of an object that has no other; the value itself where it is no object. */
function onlyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members: unknown[] = Object.values(value);
  return members.length === 1 ? members[0] : value;
}

/** What was added to a list of texts and what was removed; null where an entry is no such change. */
export function listChangeOf(change: {
  readonly before: unknown;
  readonly after: unknown;
}): readonly ListItem[] | null {
  const [before, after] = [onlyOf(change.before), onlyOf(change.after)];
  if (!isList(before) || !isList(after)) return null;
  const items = [
    ...after.filter((item) => !before.includes(item)).map((item) => ({ item, isAdded: true })),
    ...before.filter((item) => !after.includes(item)).map((item) => ({ item, isAdded: false })),
  ];
  // The order alone has changed, which no item tells.
  return items.length === 0 ? null : items;
}
