/** Bull queues by name. A queue carries ids; what they stand for is in the database. */
export const RUN_QUEUE = 'runs';
export const MAIL_QUEUE = 'mails';

/** "Look at this run": a hint, which may be lost, doubled or late without harm. */
export interface RunWakeUp {
  readonly runId: string;
  /** Absent in hints of earlier releases. */
  readonly tenantId?: string;
  /** How often workers passed it on, since its tenant held its share of their slots; absent for never. */
  readonly passes?: number;
}

/** "Look at this outgoing mail": a hint as well. */
export interface MailWakeUp {
  readonly mailId: string;
}
