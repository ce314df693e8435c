export { ADVISORY_LOCKS } from './advisory-locks.js';
export { Database, afterCommit, firstRow, rows } from './database.js';
export type { AutoCommit, Reader, SelectText, Tx } from './database.js';
export { DatabaseModule } from './database.module.js';
export { dataSourceOptions } from './data-source-options.js';
export {
  isDatabaseUnavailable,
  isLockTimeout,
  isServerFault,
  isStatementTimeout,
  isTransient,
  refusalOf,
  violatesForeignKey,
  violatesUnique,
} from './database-errors.js';
export { deleteExpired } from './expired-rows.js';
export type { ExpiredRows } from './expired-rows.js';
export { GroupedStatement } from './grouped-statement.js';
export { migrate, migrateNow, migrateWhenReady, requireSessionPooling } from './migrator.js';
export { primaryServer } from './primary/primary-server.js';
export { clientFor } from './primary/following-client.js';
export type { DatabaseLocation } from './primary/following-client.js';
export { databaseProblem } from './session/database-requirements.js';
export { migrationState } from './session/migration-state.js';
export type { MigrationState } from './session/migration-state.js';
export { ProcessLocks } from './process-locks.js';
export type { Release } from './process-locks.js';
export { arrayParameters, prepared, preparedStatements } from './prepared-statements.js';
export { matchingIds, searchQuery } from './word-search.js';
export { addressOf, startupError } from './database-startup-error.js';
export { QueueFullError, SerialByKey } from './change-queue.js';
