import { Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../platform/database/index.js';
import { RepeatedTask } from '../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { Tenancy } from '../../platform/tenancy/index.js';
import { DataTriggerRepository } from './data-trigger.repository.js';
import { DatabaseTriggers } from './database-triggers.js';
import { tableProblem } from './watched-table.js';

const LOOK_MS = 60_000;

/**
 * Tables belong to others, who drop them, make them again, rename them, attach them as partitions. Once a minute
 * the database's triggers are made what the jobs need, and what keeps a job from hearing of changes is logged.
 */
@Injectable()
export class DataTriggerRepair implements BackgroundService {
  readonly name = 'data trigger repair';
  private readonly logger = new Logger(DataTriggerRepair.name);
  private readonly task: RepeatedTask;
  private warned = new Set<string>();
  private unconfined: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly triggers: DataTriggerRepository,
    private readonly databaseTriggers: DatabaseTriggers,
    private readonly tenancy: Tenancy,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, this.name, LOOK_MS, () => this.look());
  }

  async start(): Promise<void> {
    this.task.start();
    await Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  async look(): Promise<void> {
    await this.confine();
    const watched = await this.triggers.findWatched(this.database.reader);
    // The last trigger of a deployment may have left one behind on a busy table.
    if ((await this.triggers.findDifferences(this.database.reader, null)).length > 0) {
      const settled = await this.database.transaction((tx) => this.databaseTriggers.settle(tx, null));
      for (const { change, triggerName, relation } of settled)
        this.logger.warn(`${relation} had changed: ${change} ${triggerName}`);
    }
    if (watched.length > 0) await this.warn(watched);
  }

  /** After a restore the functions may belong to another role, and the account may get rights that it did not have. */
  private async confine(): Promise<void> {
    if (await this.triggers.isCaptureConfined(this.database.reader)) return;
    const reason = await this.database.transaction((tx) => this.databaseTriggers.confine(tx));
    if (reason !== this.unconfined && reason !== null)
      this.logger.warn(
        `changes of rows are captured with the rights of the service's database user (${reason}): only tables of ` +
          'that user and of superusers can be watched; see docs/operating.md, The database account',
      );
    this.unconfined = reason;
  }

  /** Each thing once, until it is mended. */
  private async warn(watched: Awaited<ReturnType<DataTriggerRepository['findWatched']>>): Promise<void> {
    const facts = await this.triggers.findFacts(this.database.reader, watched, this.tenancy.rowColumn);
    const problems = watched.flatMap(({ schema, name, columns }, index) => {
      const found = facts[index];
      if (found === undefined) return [];
      const problem = tableProblem(found, this.tenancy);
      if (problem !== null)
        return [`${schema}.${name} is watched by jobs and ${problem}: no change reaches them`];
      return columns
        .filter((column) => !found.columns.includes(column))
        .map(
          (column) =>
            `${schema}.${name} has no column ${column} any more: every update counts for jobs that name it`,
        );
    });
    for (const problem of problems) if (!this.warned.has(problem)) this.logger.warn(problem);
    this.warned = new Set(problems);
  }
}
