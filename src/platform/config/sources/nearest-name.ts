/** " Did you mean …?" for the candidate that a typing error away could be `name`, else nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const tolerance = Math.max(1, Math.floor(name.length / 4));
  let nearest: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance <= tolerance && distance < (nearest?.distance ?? Infinity))
      nearest = { candidate, distance };
  }
  return nearest ? ` Did you mean ${nearest.candidate}?` : '';
}

/** Levenshtein distance, row by row. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 0; row < from.length; row++) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(previous, column - 1) + (from[row] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
