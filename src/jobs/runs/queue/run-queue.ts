/** The Bull queue of wake-ups. It carries only ids; the runs are in the database. */
export const RUN_QUEUE = 'runs';

/** "Look at this run." A wake-up may be lost, doubled or late without harm. */
export interface RunWakeUp {
  readonly runId: string;
  /** Absent in wake-ups of earlier releases. */
  readonly tenantId?: string;
  /** How often workers passed it on because its tenant held its share of their slots; absent for never. */
  readonly passes?: number;
}
