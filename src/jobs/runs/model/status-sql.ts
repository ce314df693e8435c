import { FINAL_STATUSES, FIRST_STATUS, RUN_STATUSES, statusAfter, statusesBefore } from './run-status.js';
import type { RunEvent, RunStatus } from './run-status.js';

/*
 * Conditions on a run's status, as SQL with literals: the planner matches literals with the partial indexes of waiting
 * and ended runs. No other file writes a status into SQL (test/architecture/run-status.test.ts).
 */

/** In SQL: whether one of the events can happen to a run with this status. The guard of the update that it makes. */
export function canHappen(events: RunEvent | readonly RunEvent[], column: string): string {
  return isOneOf(column, statusesBefore(...[events].flat()));
}

/** In SQL: whether the run has never been claimed. */
export function isUnclaimed(column: string): string {
  return isOneOf(column, [FIRST_STATUS]);
}

/** In SQL: whether the run has not started in time, and never will. */
export function isLate(): string {
  return `${canHappen('not started in time', 'status')} AND start_before <= now()`;
}

/** In SQL: whether the run waits to be claimed, for the first time or again. */
export function isWaiting(column: string): string {
  return canHappen('claimed', column);
}

/** In SQL: whether a worker owns the run. */
export function isRunning(column: string): string {
  return isOneOf(column, [statusAfter('claimed')]);
}

/** In SQL: whether the run has ended. */
export function hasEnded(column: string): string {
  return isOneOf(column, FINAL_STATUSES);
}

function isOneOf(column: string, statuses: readonly RunStatus[]): string {
  const literals = RUN_STATUSES.filter((status) => statuses.includes(status)).map(literal);
  return literals.length === 1 ? `${column} = ${literals.join()}` : `${column} IN (${literals.join(', ')})`;
}

function literal(status: RunStatus): string {
  return `'${status}'`;
}

/** In SQL: whether `runs` is the run whose attempt $2 runs, where $1 is its id and $3 its tenant, as an `AttemptName` has them. */
export const OF_ATTEMPT = `runs.id = $1 AND runs.attempt = $2 AND runs.tenant_id = $3 AND ${isRunning('runs.status')}`;
