import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** read_only_sql_transaction: the server is a standby. */
const READ_ONLY = '25006';

/** The server of a connection is a standby, which accepts no writes. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
  readonly code = READ_ONLY;

  constructor() {
    super('the server is a standby');
  }
}

/** Transient classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html and of Node.js. */
const UNAVAILABLE =
  /^(08...|25006|53300|57P0[123]|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/**
 * A conflict with a concurrent transaction: a deadlock, a serialization failure or a lock timeout. A retry may
 * succeed.
 */
const CONFLICT = /^(40...|55P03|57014)$/;

/** What PostgreSQL's driver said, where TypeORM has wrapped it. */
export function driverError(error: unknown): {
  code?: unknown;
  constraint?: unknown;
  message?: unknown;
  path?: unknown;
} {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof inner === 'object' && inner !== null ? inner : {};
}

/** Whether the database was unreachable, as opposed to refusing the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // TypeORM releases a connection that is lost between two statements of a transaction before the second one runs.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  const { code, message } = driverError(error);
  return (
    (typeof code === 'string' && UNAVAILABLE.test(code)) ||
    (typeof message === 'string' && UNAVAILABLE_MESSAGE.test(message))
  );
}

/** Whether the statement failed because of concurrent transactions, and not because of what it does. */
function isSerializationConflict(error: unknown): boolean {
  const { code } = driverError(error);
  return typeof code === 'string' && CONFLICT.test(code);
}

/** Whether the server accepts no writes because it is a standby. */
export function isReadOnly(error: unknown): boolean {
  return driverError(error).code === READ_ONLY;
}

/** Whether the error has nothing to do with what the statement does, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isSerializationConflict(error);
}

/** Whether a write failed because the row that this foreign key refers to does not exist (any more). */
export function violatesForeignKey(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = driverError(error);
  return code === '23503' && violated === constraint;
}

/** Whether a statement gave up waiting for a lock after its `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error).code === '55P03';
}

/** Whether a statement was cancelled after its `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return driverError(error).code === '57014';
}

/** Whether a write failed because it would have violated this unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = driverError(error);
  return code === '23505' && violated === constraint;
}
