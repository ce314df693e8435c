import { Injectable } from '@nestjs/common';
import { firstRow } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { RunCaller } from '../../../http/index.js';
import { ExchangeRepository } from '../exchange/exchange.repository.js';
import type { EventOrigin, RunTrigger } from '../model/run.js';
import { isRunning } from '../model/status-sql.js';

/** The runs whose handlers trigger others. */
@Injectable()
export class ParentRuns {
  constructor(private readonly exchanges: ExchangeRepository) {}

  /**
   * Locks the queue of the caller's tenant until the transaction ends. So a cancellation of the run and its descendants
   * either waits, and then sees the runs that this transaction adds, or comes first.
   * @returns the events that led to it, which lead to whatever its handler triggers too; null for none
   * @throws invalid_access_token when the attempt has ended since its token was checked
   */
  async require(tx: Tx, { runId, attempt, tenantId }: RunCaller): Promise<EventOrigin | null> {
    await this.exchanges.lock(tx, tenantId);
    const parent = await firstRow<{ origin: EventOrigin | null }>(
      tx,
      `SELECT trigger -> 'origin' AS origin FROM runs_active WHERE id = $1 AND tenant_id = $2 AND attempt = $3 AND ${isRunning('status')}`,
      [runId, tenantId, attempt],
    );
    if (parent === null) throw new ServiceError('invalid_access_token');
    return parent.origin;
  }
}

/**
 * The trigger of a run that a handler triggers or repeats, with the events that led to the handler's run.
 *
 * @param origin null when no event did, or when no handler triggers it: a repetition keeps what it has
 */
export function ledBy(origin: EventOrigin | null, trigger: RunTrigger): RunTrigger {
  if (origin === null) return trigger;
  const own = trigger.origin;
  return {
    ...trigger,
    origin: {
      depth: Math.max(origin.depth, own?.depth ?? 0),
      run_event: origin.run_event || own?.run_event === true,
    },
  };
}
