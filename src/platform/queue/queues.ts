/** Bull queues by name. A queue carries ids; what they stand for is in the database. */
export const RUN_QUEUE = 'runs';

/** "Look at this run": a hint, which may be lost, doubled or late without harm. */
export interface RunHint {
  readonly runId: string;
}
