import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { DataTriggerRepository } from './data-trigger.repository.js';
import { DatabaseTriggers } from './database-triggers.js';
import { missingColumns, tableProblem } from './watched-table.js';

/**
 * Repairs database triggers once a minute, because customers drop, recreate and rename their tables and attach them
 * as partitions. Logs what keeps a job from receiving row changes.
 */
@Injectable()
export class DataTriggerRepair extends PeriodicService {
  private readonly logger = new Logger(DataTriggerRepair.name);
  private warned = new Set<string>();
  private unconfined: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly triggers: DataTriggerRepository,
    private readonly databaseTriggers: DatabaseTriggers,
    private readonly tenancy: Tenancy,
    @Inject(CONFIG) { timing }: Config,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'data trigger repair', timing.captures.repairMs);
  }

  async runOnce(): Promise<void> {
    await this.confine();
    const watched = await this.triggers.findWatched(this.database.reader);
    // The deployment's last data trigger may have left a database trigger behind on a busy table.
    if ((await this.triggers.findDifferences(this.database.reader, null)).length > 0) {
      const reconciled = await this.database.transaction((tx) => this.databaseTriggers.reconcile(tx, null));
      for (const { change, triggerName, relation } of reconciled)
        this.logger.warn(`${relation} had changed: ${change} ${triggerName}`);
    }
    if (watched.length > 0) await this.warn(watched);
  }

  /**
   * After a restore, another role may own the functions; and the account may gain rights that it did not have before.
   */
  private async confine(): Promise<void> {
    if (await this.triggers.isCaptureConfined(this.database.reader)) return;
    const reason = await this.database.transaction((tx) => this.databaseTriggers.confine(tx));
    if (reason !== this.unconfined && reason !== null)
      this.logger.warn(
        `row changes are captured with the rights of the service's database user (${reason}): only tables of ` +
          'that user and of superusers can be watched; see docs/operating.md, The database account',
      );
    this.unconfined = reason;
  }

  /** Logs each problem once, until it is fixed. */
  private async warn(watched: Awaited<ReturnType<DataTriggerRepository['findWatched']>>): Promise<void> {
    const facts = await this.triggers.findFacts(this.database.reader, watched, this.tenancy.rowColumn);
    const problems = watched.flatMap(({ schema, name, columns }, index) => {
      const found = facts[index];
      if (found === undefined) return [];
      const problem = tableProblem(found, this.tenancy);
      if (problem !== null)
        return [`${schema}.${name} is watched by jobs and ${problem}: its changes do not trigger them`];
      return missingColumns(found, columns).map(
        (column) =>
          `${schema}.${name} no longer has the column ${column}: every update triggers the jobs that name it`,
      );
    });
    for (const problem of problems) if (!this.warned.has(problem)) this.logger.warn(problem);
    this.warned = new Set(problems);
  }
}
