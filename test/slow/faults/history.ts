import type {
  AttemptOutcome,
  FINAL_STATUSES,
  RunErrorCode,
  RunStatus,
} from '../../../src/jobs/runs/model/run-status.js';

export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** A trigger call that was repeated under one idempotency key until it was answered 202. */
export interface AcceptedTrigger {
  readonly key: string;
  /** Every run that was named in an answer; all answers to one key name the same. */
  readonly runIds: readonly string[];
}

/** An answer to a trigger call that was not 202. */
export interface RefusalFact {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
}

/** A row of `runs` at the end. */
export interface RunFact {
  readonly id: string;
  readonly tenantId: string;
  readonly jobId: string;
  readonly status: RunStatus;
  readonly triggerType: 'manual' | 'cron';
  /** Of a cron run, what it stands for; null of any other. */
  readonly instant: CronInstant | null;
  readonly hasStarted: boolean;
  readonly attempt: number;
  readonly failures: number;
  readonly losses: number;
  readonly maxAttempts: number;
  /** What the handler answered, as far as it tells one call from another. */
  readonly resultMark: string | null;
  readonly errorCode: RunErrorCode | null;
}

export interface CronInstant {
  readonly jobId: string;
  readonly position: number;
  /** ISO 8601. */
  readonly at: string;
}

/** A row of `run_attempts` at the end. Instants are milliseconds since the epoch, here and below. */
export interface AttemptFact {
  readonly runId: string;
  readonly number: number;
  readonly outcome: AttemptOutcome | null;
  readonly completedAt: number | null;
}

/** A change of a run's status that was committed, in the order of the run's changes; `from` null: the run came. */
export interface StatusChange {
  readonly runId: string;
  readonly from: RunStatus | null;
  readonly to: RunStatus;
}

/** A call as the handler saw it. */
export interface CallFact {
  readonly runId: string;
  readonly attempt: number;
  readonly tenantId: string;
  /** Which process called. */
  readonly process: string;
  readonly startedAt: number;
  /** When it was answered or broken off. */
  readonly endedAt: number;
  /** Null when it was broken off. */
  readonly status: number | null;
  /** In the body of the answer, and of no other. */
  readonly mark: string;
}

/** A request to cancel a run. */
export interface CancelFact {
  readonly runId: string;
  /** Which process was asked. */
  readonly process: string;
  /** 200 says that it is cancelled; without an answer it may be or not. */
  readonly answer: number | null;
}

/** What a process that was not killed counted from its start to the end. */
export interface ProcessFact {
  readonly name: string;
  readonly ended: Readonly<Record<FinalStatus, number>>;
  /** How many durations are in the histogram. */
  readonly durations: number;
  readonly queueDepth: number;
}

/** All that is known of a time in which things died. */
export interface History {
  readonly cap: number;
  readonly accepted: readonly AcceptedTrigger[];
  readonly refusals: readonly RefusalFact[];
  readonly runs: readonly RunFact[];
  readonly attempts: readonly AttemptFact[];
  readonly changes: readonly StatusChange[];
  readonly calls: readonly CallFact[];
  readonly cancels: readonly CancelFact[];
  readonly processes: readonly ProcessFact[];
  /** Every instant that came, of every trigger. */
  readonly instants: readonly CronInstant[];
  /** Runs in work, as the slots of tenants and of jobs count them. */
  readonly inSlots: number;
}
