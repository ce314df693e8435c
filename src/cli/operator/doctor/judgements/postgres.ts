import type { MigrationState } from '../../../../platform/database/index.js';
import { counted, duration, problem, those, warning } from '../finding.js';
import type { Verdict } from '../finding.js';

const OLDEST_POSTGRES = 15;
const OLD_TRANSACTION_SECS = 600;
const OLD_PREPARED_SECS = 300;
const MAX_SKEW_MS = 5_000;
/** The pool, one connection that listens, and what an instance holds while it migrates (docs/operating.md). */
const BESIDE_THE_POOL = 4;

/** What PostgreSQL says of itself. */
export interface PostgresFacts extends MigrationState {
  readonly server: string;
  readonly versionNumber: number;
  readonly account: string;
  readonly isSuperuser: boolean;
  readonly isInRecovery: boolean;
  readonly isReadOnly: boolean;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly autovacuum: string;
  /** Of those that ordinary accounts may open, the fewest of the server, the database and the account. */
  readonly connections: number;
  readonly longestTransactionSecs: number | null;
  readonly oldestPreparedSecs: number | null;
  /** Tables in which more rows are dead than alive, and very many of them. */
  readonly bloatedTables: readonly string[];
  readonly mayCreate: boolean;
  /** Tables of the program that the account may not read and write. */
  readonly closedTables: number;
}

/** How the program is to use the server. */
export interface PostgresUse {
  readonly poolSize: number;
  /** Instances that are alive. */
  readonly instances: number;
  /** An embedded server belongs to the program alone. */
  readonly isEmbedded: boolean;
}

export function judgePostgres(facts: PostgresFacts, use: PostgresUse): Verdict {
  const { server, account } = facts;
  const instances = Math.max(use.instances, 1);
  const needed = instances * (use.poolSize + 1) + BESIDE_THE_POOL - 1;
  const version = Math.floor(facts.versionNumber / 10_000);
  const oldTransaction = facts.longestTransactionSecs ?? 0;
  const prepared = facts.oldestPreparedSecs ?? 0;
  const reload = 'in postgresql.conf, and run: SELECT pg_reload_conf()';
  const findings = those(
    version < OLDEST_POSTGRES &&
      problem(
        'postgres_too_old',
        `PostgreSQL at ${server} is release ${version}, and the program needs ${OLDEST_POSTGRES} or newer`,
        `Upgrade PostgreSQL to ${OLDEST_POSTGRES} or newer with pg_upgrade`,
      ),
    (facts.isInRecovery || facts.isReadOnly) &&
      problem(
        'postgres_read_only',
        `PostgreSQL at ${server} takes no writes: ${facts.isInRecovery ? 'it is a standby' : 'default_transaction_read_only is on'}`,
        facts.isInRecovery
          ? 'Set database.url (SERVICE_DATABASE__URL) to the primary server, or promote this one'
          : 'Turn default_transaction_read_only off for the server, the database and the account',
      ),
    facts.fsync === 'off' &&
      problem(
        'postgres_fsync_off',
        'fsync is off: a crash of the machine may destroy the database',
        `Set fsync = on ${reload}`,
      ),
    facts.fullPageWrites === 'off' &&
      problem(
        'postgres_full_page_writes_off',
        'full_page_writes is off: a crash of the machine may leave torn pages',
        `Set full_page_writes = on ${reload}`,
      ),
    facts.synchronousCommit === 'off' &&
      problem(
        'postgres_synchronous_commit_off',
        'synchronous_commit is off: accepted runs and revocations of the last moment are lost in a crash',
        `Set synchronous_commit = on for the server, the database and the account "${account}"`,
      ),
    facts.autovacuum === 'off' &&
      problem(
        'postgres_autovacuum_off',
        'autovacuum is off: tables grow without end, and statements become slow',
        `Set autovacuum = on ${reload}`,
      ),
    facts.connections < needed &&
      problem(
        'postgres_too_few_connections',
        `${counted(instances, 'instance')} with database.pool_size ${use.poolSize} may need ${needed} connections, and the account "${account}" may open ${facts.connections}`,
        'Raise max_connections or the CONNECTION LIMIT of the account or the database, or lower database.pool_size',
      ),
    facts.isSuperuser &&
      !use.isEmbedded &&
      warning(
        'postgres_account_superuser',
        `the account "${account}" is a superuser, and needs only to own its database`,
        'Connect as an account of its own; docs/operating.md has the statements (The database account)',
      ),
    oldTransaction > OLD_TRANSACTION_SECS &&
      warning(
        'postgres_long_transaction',
        `a transaction has been open for ${duration(oldTransaction)}: nothing newer can be vacuumed`,
        'Find it: SELECT pid, application_name, query FROM pg_stat_activity ORDER BY xact_start; end it with pg_terminate_backend',
      ),
    prepared > OLD_PREPARED_SECS &&
      problem(
        'postgres_prepared_transaction',
        `a prepared transaction has been left for ${duration(prepared)}: it holds its locks until somebody ends it`,
        'SELECT gid FROM pg_prepared_xacts, then ROLLBACK PREPARED',
      ),
    facts.bloatedTables.length > 0 &&
      warning(
        'postgres_dead_rows',
        `most rows are dead in ${facts.bloatedTables.join(', ')}: vacuuming does not keep up`,
        'Look for long transactions, and run VACUUM on these tables',
      ),
  );
  return { findings, summary: `${version} at ${server}, as ${account}` };
}

export function judgeMigrations(facts: PostgresFacts): Verdict {
  const { account, waitingMigrations: waiting, unknownMigrations: unknown } = facts;
  const findings = those(
    waiting > 0 &&
      problem(
        'migrations_waiting',
        facts.isEmpty
          ? 'the database is empty: no program has started on it'
          : `${counted(waiting, 'migration')} of this release did not run`,
        'Run servicectl migrate, or start the program of this release, which migrates too',
      ),
    waiting > 0 &&
      !facts.mayCreate &&
      problem(
        'postgres_account_may_not_migrate',
        `the account "${account}" may not create or change tables, and migrations wait`,
        `Make it the owner: ALTER DATABASE … OWNER TO "${account}"`,
      ),
    facts.closedTables > 0 &&
      problem(
        'postgres_account_lacks_rights',
        `the account "${account}" may not read and write ${counted(facts.closedTables, 'table')} of the program`,
        `Give the tables to it, such as with REASSIGN OWNED BY <former account> TO "${account}"`,
      ),
    waiting === 0 &&
      unknown.length > 0 &&
      warning(
        'migrations_newer',
        `the database was migrated by a newer release: ${unknown[0]}${unknown.length > 1 ? ` and ${unknown.length - 1} more` : ''}`,
        'Finish the upgrade: run the newer release on every instance, and its servicectl',
      ),
  );
  return { findings, summary: 'the schema is that of this release' };
}

/** @param skewMs how far a clock is from that of this machine; positive when it is ahead */
export function judgeClock(skews: Readonly<Record<string, number>>): Verdict {
  const wrong = Object.entries(skews).filter(([, skewMs]) => Math.abs(skewMs) > MAX_SKEW_MS);
  return {
    findings: wrong.map(([server, skewMs]) =>
      problem(
        'clock_skew',
        `the clock of ${server} is ${duration(Math.abs(skewMs) / 1000)} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`,
        'Synchronize all machines by NTP, such as with systemd-timesyncd or chrony',
      ),
    ),
    summary: `as ${Object.keys(skews).join(' and ')}`,
  };
}
