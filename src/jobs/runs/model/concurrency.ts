/** What becomes of a run whose turn it is while as many with its value are running as may. */
export const WHEN_FULL = ['queue', 'drop_newest', 'cancel_oldest'] as const;

/** How many runs of a job with the same value in their payload may be running, as the job declares and stores it. */
export interface Concurrency {
  /** Where the value is: a JSON Pointer (RFC 6901). Runs without it count together. */
  readonly key: string;
  readonly limit: number;
  readonly when_full: (typeof WHEN_FULL)[number];
}
