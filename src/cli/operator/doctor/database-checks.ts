import pTimeout from 'p-timeout';
import { StartupError } from '../../../platform/startup/index.js';
import { addressOf, databaseProblem, requireSessionPooling } from '../../../platform/database/index.js';
import type { DatabaseLocation } from '../../../platform/database/index.js';
import { requireOwnData } from '../../../startup/profile-data.js';
import { OutgoingMailRepository } from '../../../identity/index.js';
import type { DeploymentFacts } from './deployment-facts.js';
import { connectionFinding, openDatabase } from './facts/database.js';
import type { OpenDatabase } from './facts/database.js';
import { sealedSamples, SIGNERS } from './facts/keys.js';
import { postgresFacts, postgresSkewMs } from './facts/postgres.js';
import { crewFacts, livingInstances, queueFacts } from './facts/work.js';
import { fromStartup, problem } from './finding.js';
import type { Finding, Verdict } from './finding.js';
import { judgeSealedValues } from './judgements/keys.js';
import { judgeOutbox } from './judgements/mail.js';
import { judgeMigrations, judgePostgres } from './judgements/postgres.js';
import type { PostgresFacts } from './judgements/postgres.js';
import { judgeInstances, judgeQueue } from './judgements/work.js';
import type { Check } from './report.js';

const [POSTGRES, ...OF_SCHEMA] = [
  'PostgreSQL',
  'migrations',
  'data key',
  'signing keys',
  'instances',
  'queue',
  'outbox',
] as const;

export const DATABASE_CHECKS = [POSTGRES, ...OF_SCHEMA] as const;

export interface DatabaseChecks {
  readonly checks: readonly Check[];
  /** Null where the database does not answer. */
  readonly skewMs: number | null;
}

type Examined = (name: string, work: () => Promise<Verdict>) => Promise<Check>;

const CLOSE_LIMIT_MS = 2_000;

const NOT_RUNNING = problem(
  'program_not_running',
  'the program runs its own PostgreSQL, and neither runs now',
  'Start the program, then run servicectl doctor again',
);

/** Connects, and makes the checks for which the database is needed. */
export async function checkDatabase(
  deployment: DeploymentFacts,
  examined: Examined,
): Promise<DatabaseChecks> {
  const { databaseUrl: url } = deployment;
  const without = (finding: Finding, server: string): DatabaseChecks => ({
    checks: [
      { name: POSTGRES, findings: [finding], summary: server },
      ...OF_SCHEMA.map((name) => ({ name, skipped: 'there is no connection to PostgreSQL' })),
    ],
    skewMs: null,
  });
  if (url === null) return without(NOT_RUNNING, '');
  const { server } = addressOf(url);
  const location = { url, schema: deployment.config.database.schema };
  let opened: OpenDatabase;
  try {
    opened = await openDatabase(location);
  } catch (error) {
    return without(connectionFinding(error, url, server), server);
  }
  try {
    return await checkOpened(deployment, opened, location, examined);
  } finally {
    // A server that has stopped to answer does not keep the doctor.
    await pTimeout(opened.dataSource.destroy(), { milliseconds: CLOSE_LIMIT_MS, fallback: () => undefined });
  }
}

async function checkOpened(
  deployment: DeploymentFacts,
  opened: OpenDatabase,
  location: DatabaseLocation,
  examined: Examined,
): Promise<DatabaseChecks> {
  const { config, profile } = deployment;
  const { database } = opened;
  const { server } = addressOf(location.url);
  const found: { facts?: PostgresFacts; skewMs?: number; refusal?: Finding | null } = {};
  // First, because what can be asked further depends on it.
  const asked = await examined(POSTGRES, async () => {
    const ofPooler = await poolingFinding(location);
    // What the settings of a session decide would be answered at random.
    if (ofPooler !== null) return { findings: [ofPooler], summary: server };
    [found.facts, found.skewMs, found.refusal] = await Promise.all([
      postgresFacts(opened, location),
      postgresSkewMs(database),
      suitabilityFinding(opened, location),
    ]);
    return { findings: [], summary: server };
  });
  const { facts } = found;
  if (facts === undefined)
    return { checks: [asked, ...skippedSchema('PostgreSQL cannot be asked')], skewMs: null };
  const hasSchema = facts.waitingMigrations === 0 && facts.closedTables === 0;
  const instances = hasSchema ? await livingInstances(database, config).catch(() => null) : null;
  const use = {
    poolSize: config.database.poolSize,
    instances: instances?.length ?? 0,
    isEmbedded: deployment.isDatabaseEmbedded,
  };
  const postgres = judgePostgres(facts, use);
  const migrations = judgeMigrations(facts);
  const judged = [...postgres.findings, ...migrations.findings];
  const { refusal = null } = found;
  const refusals = refusal === null || judged.some(isSaidBetter) ? [] : [refusal];
  const checks: Check[] = [
    {
      name: POSTGRES,
      ...postgres,
      findings: [...refusals, ...postgres.findings],
    },
    { name: 'migrations', ...migrations },
  ];
  const skewMs = found.skewMs ?? null;
  if (!hasSchema)
    return {
      checks: [...checks, ...skippedSchema('the schema is not that of this release').slice(1)],
      skewMs,
    };
  const ofSchema = await Promise.all([
    examined('data key', async () => judgeSealedValues(await sealedSamples(database, config))),
    examined('signing keys', () => SIGNERS[profile](database, config)),
    examined('instances', async () => {
      if (instances === null) throw new Error('the instances cannot be read');
      const verdict = judgeInstances(await crewFacts(database, config, instances));
      return { ...verdict, findings: [...(await profileFindings(deployment, opened)), ...verdict.findings] };
    }),
    examined('queue', async () => judgeQueue(await queueFacts(database, config))),
    examined('outbox', async () => judgeOutbox(await new OutgoingMailRepository().state(database.reader))),
  ]);
  return { checks: [...checks, ...ofSchema], skewMs };
}

function skippedSchema(reason: string): Check[] {
  return OF_SCHEMA.map((name) => ({ name, skipped: reason }));
}

/** A standby takes no LISTEN, which has a finding of its own. */
async function poolingFinding(location: DatabaseLocation): Promise<Finding | null> {
  try {
    await requireSessionPooling(location);
    return null;
  } catch (error) {
    return error instanceof StartupError
      ? fromStartup('postgres_pooler_shares_sessions', error.message)
      : null;
  }
}

/** What a start refuses before its first write. */
async function suitabilityFinding(
  { dataSource }: OpenDatabase,
  { schema }: DatabaseLocation,
): Promise<Finding | null> {
  const names = dataSource.migrations.map((migration) => migration.constructor.name);
  const refusal = await databaseProblem(
    (sql, parameters) => dataSource.query(sql, parameters),
    schema,
    names,
  );
  return refusal === null ? null : fromStartup('postgres_unsuitable', refusal);
}

/** Problems that have findings of their own as well. */
function isSaidBetter({ code }: Finding): boolean {
  return (
    code === 'postgres_too_old' ||
    code === 'postgres_read_only' ||
    code === 'postgres_account_may_not_migrate' ||
    code === 'postgres_account_lacks_rights'
  );
}

async function profileFindings({ profile }: DeploymentFacts, { database }: OpenDatabase): Promise<Finding[]> {
  try {
    await requireOwnData(profile, database.reader);
    return [];
  } catch (error) {
    if (error instanceof StartupError) return [fromStartup('profile_wrong', error.message)];
    throw error;
  }
}
