import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, isDatabaseUnavailable } from '../../../platform/database/index.js';
import type { RunAtFence } from '../model/waiting-run.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';
import { DeferralRepository } from './deferral.repository.js';

/** Half a minute in total, as for the end of an attempt. */
const WRITE_TRIES = 60;

/** Defers attempts of this worker: the handler has answered that it goes on. */
@Injectable()
export class AttemptDeferral {
  constructor(
    private readonly database: Database,
    private readonly deferrals: DeferralRepository,
    private readonly heartbeat: WorkerHeartbeat,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes the attempt from this worker, and tries again while the database is unavailable.
   * @returns false when the attempt has ended: by its handler, which was faster, or by a cancellation
   */
  async defer(run: RunAtFence): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        return (
          (await this.deferrals.defer(this.database.autoCommit, run, this.heartbeat.workerId)) ||
          (await this.deferrals.isDeferred(this.database.reader, run))
        );
      } catch (error) {
        if (!isDatabaseUnavailable(error) || tries >= WRITE_TRIES) throw error;
        await wait(this.config.timing.runs.retryMs);
      }
    }
  }
}
