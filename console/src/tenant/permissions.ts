/** Whether a granted permission covers one: `*` covers everything, and in a place every word of it. */
export function covers(granted: string, wanted: string): boolean {
  if (granted === '*') return true;
  const words = wanted.split(':');
  const places = granted.split(':');
  return (
    places.length === words.length && places.every((place, index) => place === '*' || place === words[index])
  );
}

export function isAllowed(granted: readonly string[], wanted: string): boolean {
  return granted.some((permission) => covers(permission, wanted));
}
