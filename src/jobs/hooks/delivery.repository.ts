import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';

export interface Delivery {
  readonly hook: string;
  readonly idHash: Buffer;
  readonly runId: string;
}

@Injectable()
export class DeliveryRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Records the delivery with its new run. Of concurrent deliveries with the same id, the first one wins and the
   * others wait here for it.
   *
   * @returns null when this delivery is the first, otherwise the run of the first
   */
  async recordDelivery(
    tx: Tx,
    tenantId: TenantId,
    { hook, idHash, runId }: Delivery,
  ): Promise<string | null> {
    const mine = await firstRow(
      tx,
      `INSERT INTO hook_deliveries AS known (tenant_id, hook, id_hash, run_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, hook, id_hash) DO UPDATE SET run_id = EXCLUDED.run_id, received_at = now()
       WHERE known.received_at < now() - make_interval(hours => $5)
       RETURNING run_id`,
      [tenantId, hook, idHash, runId, this.config.timing.lives.hookDeliveryHours],
    );
    if (mine !== null) return null;
    const earlier = await firstRow<{ runId: string }>(
      tx,
      `SELECT run_id AS "runId" FROM hook_deliveries WHERE tenant_id = $1 AND hook = $2 AND id_hash = $3`,
      [tenantId, hook, idHash],
    );
    // It expired and was deleted between the two statements.
    return earlier === null
      ? await this.recordDelivery(tx, tenantId, { hook, idHash, runId })
      : earlier.runId;
  }

  /** Points a delivery that the transaction has recorded to another run, which it has joined. */
  async pointTo(tx: Tx, tenantId: TenantId, { hook, idHash, runId }: Delivery): Promise<void> {
    await rows(
      tx,
      'UPDATE hook_deliveries SET run_id = $4 WHERE tenant_id = $1 AND hook = $2 AND id_hash = $3',
      [tenantId, hook, idHash, runId],
    );
  }
}
