/** Bull queues by name. A queue carries only ids; the data is in the database. */
export const RUN_QUEUE = 'runs';
export const MAIL_QUEUE = 'mails';

/** "Look at this run." A wake-up may be lost, doubled or late without harm. */
export interface RunWakeUp {
  readonly runId: string;
  /** Absent in wake-ups of earlier releases. */
  readonly tenantId?: string;
  /** How often workers passed it on because its tenant held its share of their slots; absent for never. */
  readonly passes?: number;
}

/** "Look at this outgoing mail." Also a wake-up that may be lost, doubled or late. */
export interface MailWakeUp {
  readonly mailId: string;
}
