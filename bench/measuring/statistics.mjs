/** The middle value, or the mean of the two in the middle. */
export function median(values) {
  const sorted = ascending(values);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value that `percent` of all do not exceed (nearest rank). */
export function percentile(values, percent) {
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

function ascending(values) {
  return [...values].sort((a, b) => a - b);
}
