import { SchedulerRegistry } from '@nestjs/schedule';
import { InstanceRepository, isAlive } from '../../../../health/index.js';
import type { Instance } from '../../../../health/index.js';
import { QueueStateRepository, RetentionRepository, WorkerHeartbeat } from '../../../../jobs/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { firstRow } from '../../../../platform/database/index.js';
import type { Database } from '../../../../platform/database/index.js';
import { SchedulerTick } from '../../../../scheduler/index.js';
import { VERSION } from '../../../../../servicectl/src/index.js';
import type { CrewFacts, QueueFacts } from '../judgements/work.js';

export async function livingInstances({ reader }: Database, { timing }: Config): Promise<Instance[]> {
  const [instances, clock] = await Promise.all([
    new InstanceRepository().list(reader),
    firstRow<{ now: Date }>(reader, 'SELECT clock_timestamp() AS now'),
  ]);
  return instances.filter((instance) =>
    isAlive(instance, clock?.now ?? new Date(), timing.health.deadAfterMs),
  );
}

export async function crewFacts(
  database: Database,
  config: Config,
  instances: readonly Instance[],
): Promise<CrewFacts> {
  const registry = new SchedulerRegistry();
  const [workers, schedulerTicks] = await Promise.all([
    new WorkerHeartbeat(config, database, registry).countAlive(),
    new SchedulerTick(config, database, registry).tickedLately(),
  ]);
  return { instances, workers, schedulerTicks, version: VERSION };
}

/** Retention deletes every hour; until a day later nothing is late. */
const RETENTION_GRACE_DAYS = 1;
const MAX_TENANTS = 100;

export async function queueFacts({ reader }: Database, { jobs }: Config): Promise<QueueFacts> {
  const [tenants, keepsExpiredRuns] = await Promise.all([
    new QueueStateRepository().ofTenants(reader, MAX_TENANTS),
    new RetentionRepository().hasEndedBefore(reader, jobs.retentionDays + RETENTION_GRACE_DAYS),
  ]);
  const waits = tenants.flatMap(({ oldestWaitMs }) => (oldestWaitMs === null ? [] : [oldestWaitMs]));
  return {
    tenants: waits.length,
    oldestWaitMs: waits.length === 0 ? null : Math.max(...waits),
    keepsExpiredRuns,
  };
}
