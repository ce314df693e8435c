import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** read_only_sql_transaction: the server is a standby. */
const READ_ONLY = '25006';

/** The server of a connection accepts no writes, because it is a standby or by its settings. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
  readonly code = READ_ONLY;

  constructor() {
    super('the server is read-only');
  }
}

/** Transient classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html and of Node.js. */
const UNANSWERED =
  /^(08...|53300|57P0[123]|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
const UNANSWERED_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/**
 * The server answers and refuses, whatever the statement is: it takes no writes (25006), its disk or memory is full, or another
 * limit is reached (53), it cannot read or write its files (58, XX001, XX002), the account was refused (28, 42501), the
 * database or what the migrations made in it is gone (3D000, 3F000, 42P01, 42883, 57P04), the database is closed (55000,
 * 55006), or the connection has lost what was prepared on it (26000, 42P05).
 */
const REFUSING =
  /^(25006|26000|28...|3D000|3F000|42501|42883|42P0[15]|53...|5500[06]|57P0[45]|58...|XX00[12])$/;
/** After a migration, a connection that prepared the statement before it. */
const STALE_PLAN = /^cached plan must not change result type/;

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

/**
 * Whether the database was unreachable or refuses all statements of its kind, as opposed to this one. Nothing but a change
 * on the server mends that, and nothing else is needed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  const { code, message } = driverError(error);
  return (
    (typeof code === 'string' && REFUSING.test(code)) ||
    (typeof message === 'string' && STALE_PLAN.test(message))
  );
}

/** Whether the server did not answer, or not yet: it is away, starts, or has no connection to spare. */
export function isUnanswered(error: unknown): boolean {
  // TypeORM releases a connection that is lost between two statements of a transaction before the second one runs.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  const { code, message } = driverError(error);
  return (
    (typeof code === 'string' && UNANSWERED.test(code)) ||
    (typeof message === 'string' && UNANSWERED_MESSAGE.test(message))
  );
}

/** Whether the statement failed because of concurrent transactions, and not because of what it does. */
function isSerializationConflict(error: unknown): boolean {
  const { code } = driverError(error);
  return typeof code === 'string' && CONFLICT.test(code);
}

/** An error inside of the server (internal_error), which no statement should be able to cause. */
export function isServerFault(error: unknown): boolean {
  return driverError(error).code === 'XX000';
}

/** What keeps a server that answers from working, in words that follow its name and give nothing away. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'takes no writes: it is a standby, or default_transaction_read_only is on'],
  [/^53100$/, 'takes no writes: its disk is full'],
  [/^53300$/, 'has no connection to spare'],
  [/^53...$/, 'lacks memory or another resource'],
  [/^(58...|XX...)$/, 'cannot read or write its files'],
  [/^28...$/, 'refuses the account or its password'],
  [/^42501$/, 'denies the account a permission that the program needs'],
  [/^(3D000|57P04)$/, 'does not have the database'],
  [/^(3F000|42P01|42883)$/, 'lacks tables or functions of the program'],
  [/^(5500[06])$/, 'does not accept connections to the database'],
  [/^57P0[123]$/, 'shuts down or starts'],
];

/** What keeps the database from working, from the error of a statement or a connection. */
export function refusalOf(error: unknown): string {
  const { code } = driverError(error);
  const known = REFUSALS.find(([pattern]) => typeof code === 'string' && pattern.test(code));
  return known?.[1] ?? 'does not answer';
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
