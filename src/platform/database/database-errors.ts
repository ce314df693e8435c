import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html that pass by themselves. */
const UNAVAILABLE =
  /^(08...|53300|57P0[123]|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** What others did at the same time: a deadlock, a lock that was waited for too long. Tried again, it may well do. */
const OTHERS_DOING = /^(40...|55P03|57014)$/;

function driverError(error: unknown): { code?: unknown; constraint?: unknown; message?: unknown } {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof inner === 'object' && inner !== null ? inner : {};
}

/** Whether the database did not answer, rather than refuse what it was asked. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // A connection that is lost between two statements of a transaction is given back before the second one.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  const { code, message } = driverError(error);
  return (
    (typeof code === 'string' && UNAVAILABLE.test(code)) ||
    (typeof message === 'string' && UNAVAILABLE_MESSAGE.test(message))
  );
}

/** Whether the statement failed by what others did meanwhile, and not by what it was to do. */
export function isSerializationConflict(error: unknown): boolean {
  const { code } = driverError(error);
  return typeof code === 'string' && OTHERS_DOING.test(code);
}

/** Whether a write failed because the row that this foreign key refers to is not there (any more). */
export function violatesForeignKey(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = driverError(error);
  return code === '23503' && violated === constraint;
}

/** Whether a statement gave up waiting for a lock, at its `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error).code === '55P03';
}

/** Whether a write failed because it would have broken this unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = driverError(error);
  return code === '23505' && violated === constraint;
}
