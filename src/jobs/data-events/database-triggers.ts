import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { isLockTimeout, rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { CAPTURE_TRIGGERS, creationOf } from './capture-triggers.js';
import { DataTriggerRepository } from './data-trigger.repository.js';
import type { TriggerDifference } from './data-trigger.repository.js';
import type { TableName } from './watched-table.js';

/** Creates and drops the database triggers that capture row changes. */
@Injectable()
export class DatabaseTriggers {
  private readonly logger = new Logger(DatabaseTriggers.name);

  constructor(
    private readonly triggers: DataTriggerRepository,
    private readonly tenancy: Tenancy,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Gives these tables the triggers that the jobs need. A trigger that is no longer needed does nothing, so if its
   * table is busy, it stays until the next repair of all tables.
   *
   * @param tables null for all
   * @returns what was changed
   * @throws table_busy when a long-running writer blocks a table that needs a trigger
   */
  async reconcile(tx: Tx, tables: readonly TableName[] | null): Promise<TriggerDifference[]> {
    await this.triggers.lock(tx);
    const reconciled: TriggerDifference[] = [];
    for (const difference of await this.triggers.findDifferences(tx, tables)) {
      if (difference.change === 'create') await this.create(tx, difference);
      else if (!(await this.drop(tx, difference))) continue;
      reconciled.push(difference);
    }
    return reconciled;
  }

  /** @returns null when the capture functions have only the rights they need, otherwise the reason why not */
  async confine(tx: Tx): Promise<string | null> {
    await this.triggers.lock(tx);
    return await this.triggers.confineCapture(tx);
  }

  private async create(tx: Tx, difference: TriggerDifference): Promise<void> {
    const { triggerName, relation, schema, name, key, scope, purpose } = difference;
    const trigger = CAPTURE_TRIGGERS[scope].find((candidate) => candidate.purpose === purpose);
    if (trigger === undefined) throw new Error(`no trigger of ${scope} is for ${purpose}`);
    const [text] = await rows<{ schema: string; name: string }>(
      tx,
      'SELECT quote_literal($1) AS schema, quote_literal($2) AS name',
      [schema, name],
    );
    const names = [text?.schema ?? '', text?.name ?? '', `'${this.tenancy.rowColumn}'`] as const;
    const statements = creationOf(trigger, { triggerName, key, relation, names });
    if (!(await this.within(tx, this.config.timing.captures.createLimitMs, statements)))
      throw new ServiceError('table_busy', { hint: `The table is ${schema}.${name}.` });
  }

  private async drop(tx: Tx, { triggerName, relation }: TriggerDifference): Promise<boolean> {
    const { dropLimitMs } = this.config.timing.captures;
    const done = await this.within(tx, dropLimitMs, `DROP TRIGGER IF EXISTS ${triggerName} ON ${relation}`);
    if (!done)
      this.logger.warn(`${relation} is busy; its unused trigger ${triggerName} will be dropped later`);
    return done;
  }

  /**
   * A statement that waits for a table lock makes all later ones wait too, so it must not wait for long.
   * @returns whether the statement got its lock in time; if not, nothing has changed
   */
  private async within(tx: Tx, limitMs: number, statement: string): Promise<boolean> {
    await tx.query('SAVEPOINT table_lock');
    try {
      await tx.query(`SET LOCAL lock_timeout = ${limitMs}`);
      await tx.query(statement);
      await tx.query('SET LOCAL lock_timeout = 0');
      await tx.query('RELEASE SAVEPOINT table_lock');
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // The rollback also resets the limit.
      await tx.query('ROLLBACK TO SAVEPOINT table_lock');
      return false;
    }
  }
}
