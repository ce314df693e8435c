import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { repeatWrite } from '../exchange/repeated-write.js';
import type { PumpResult } from '../exchange/run-pump.js';
import { RunPump } from '../exchange/run-pump.js';
import type { ClaimedRun } from '../model/run.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';
import { DeferralRepository } from './deferral.repository.js';

/** Defers attempts of this worker: the handler has answered that it goes on. */
@Injectable()
export class AttemptDeferral {
  constructor(
    private readonly database: Database,
    private readonly deferrals: DeferralRepository,
    private readonly pump: RunPump,
    private readonly heartbeat: WorkerHeartbeat,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes the attempt from this worker, and tries again while the database is unavailable. It is not deferred if it has
   * ended: by its handler, which was faster, or by a cancellation.
   * @param slots how many runs of the tenant to claim with it
   */
  async defer(
    { id, tenantId, fence }: ClaimedRun,
    slots: number,
  ): Promise<Pick<PumpResult, 'isDeferred' | 'claimed' | 'isWaiting'>> {
    const { workerId } = this.heartbeat;
    return await repeatWrite(this.config.timing.runs.retryMs, async () => {
      const result = await this.pump.defer(tenantId, { id, fence, workerId }, slots);
      const isDeferred =
        result.isDeferred || (await this.deferrals.isDeferred(this.database.reader, { id, fence }));
      return { ...result, isDeferred };
    });
  }
}
