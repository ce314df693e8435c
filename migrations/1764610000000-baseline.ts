import type { MigrationInterface, QueryRunner } from 'typeorm';
import { audit } from './baseline/audit.js';
import { dataCapture } from './baseline/capture/index.js';
import { tenantQueues } from './baseline/tenant-queues.js';
import { events } from './baseline/events.js';
import { debounce } from './baseline/debounce.js';
import { exchangeRuns } from './baseline/exchange-runs.js';
import { factors } from './baseline/factors.js';
import { identity } from './baseline/identity.js';
import { instances } from './baseline/instances.js';
import { jobLimits } from './baseline/job-limits.js';
import { jobs } from './baseline/jobs.js';
import { keys } from './baseline/keys.js';
import { mail } from './baseline/mail.js';
import { organizations } from './baseline/organizations.js';
import { projects } from './baseline/projects.js';
import { runHistory } from './baseline/run-history.js';
import { runs } from './baseline/runs.js';
import { runsInTurn } from './baseline/runs-in-turn.js';

/** The schema, domain by domain. Nothing was released before it, so it makes a database and upgrades none. */
export class Baseline1764610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [found] = (await runner.query(`SELECT quote_ident(current_schema()) AS name`)) as [
      { name: string },
    ];
    for (const statements of [
      instances,
      audit,
      identity,
      factors,
      organizations,
      projects,
      mail,
      keys,
      jobs,
      tenantQueues,
      runs,
      runHistory,
      events,
      runsInTurn,
      jobLimits,
      debounce,
      exchangeRuns,
      dataCapture(found.name),
    ])
      await runner.query(statements);
  }

  down(): Promise<void> {
    throw new Error('the baseline cannot be reverted: drop the schema instead');
  }
}
