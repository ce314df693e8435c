/*
 * Histograms of times. Bucket b has the times from GROWTH^b to GROWTH^(b+1) ms, so a percentile is at most 4.5 % off.
 * Histograms add up. As stored, each element is 256 times the number of times in a bucket, plus the bucket.
 */

const GROWTH = 1.09;
const LAST_BUCKET = 255;

/** In SQL: the bucket of a time in milliseconds. The last bucket begins after 40 days. */
export function bucketInSql(ms: string): string {
  return `least(floor(ln(greatest(${ms}, 1)::float8) / ln(${GROWTH}::float8)), ${LAST_BUCKET})::bigint`;
}

/** In SQL: the histogram of the elements of histograms, with one element per bucket. @param elements a query */
export function mergedInSql(elements: string): string {
  return `coalesce((SELECT array_agg((count << 8) | bucket) FROM (
    SELECT element & 255 AS bucket, sum(element >> 8)::bigint AS count FROM (${elements}) AS each (element) GROUP BY 1
  ) merged), '{}')`;
}

/** Times in milliseconds, counted by bucket. */
export class Histogram {
  /** A list of points has two for each of up to 1440 points, with a count for each of many times: faster than a map. */
  private readonly counts = new Float64Array(LAST_BUCKET + 1);
  private total = 0;

  addElement(element: number): void {
    this.add(element % 256, Math.floor(element / 256));
  }

  addTime(ms: number): void {
    this.add(Math.min(Math.floor(Math.log(Math.max(ms, 1)) / Math.log(GROWTH)), LAST_BUCKET), 1);
  }

  /** The time that this part of the times do not exceed, in whole milliseconds; null when there are none. */
  percentile(part: number): number | null {
    let before = 0;
    if (this.total === 0) return null;
    const bucket = this.counts.findIndex((count) => {
      before += count;
      return before >= part * this.total;
    });
    return Math.round(GROWTH ** (bucket + 0.5));
  }

  private add(bucket: number, count: number): void {
    this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    this.total += count;
  }
}
