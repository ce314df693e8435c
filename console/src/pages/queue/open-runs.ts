/** What happened to runs in one interval. */
interface Counts {
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

/**
 * How many runs were open, which means neither ended nor cancelled, at the end of each interval: what is open now, less
 * what was accepted since, plus what ended since.
 */
export function openRunsOf(points: readonly Counts[], openNow: number): number[] {
  const open: number[] = [];
  let current = openNow;
  for (const { accepted, completed, failed, cancelled } of points.toReversed()) {
    // The queue and the stats are read a moment apart.
    open.push(Math.max(current, 0));
    current += completed + failed + cancelled - accepted;
  }
  return open.reverse();
}
