import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { PeriodicService } from '../platform/lifecycle/index.js';
import { SealPhases } from './seal-phases.js';

/** Follows the phase that `rekey` sets; asks nothing once it is the last one. */
@Injectable()
export class SealPhaseWatch extends PeriodicService {
  private readonly logger = new Logger(SealPhaseWatch.name);
  private reportedAt = -Infinity;

  constructor(
    private readonly phases: SealPhases,
    @Inject(CONFIG) private readonly config: Config,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'seal phase watch', config.timing.sealing.phaseMs);
  }

  override async start(): Promise<void> {
    if ((await this.phases.refresh()) === 'current') return;
    this.logger.warn(
      'sealed values are not bound to their tenants yet; once every instance runs this release, run: servicectl rekey',
    );
    await super.start();
  }

  async runOnce(): Promise<void> {
    await this.phases.refresh();
    this.reportStalled();
  }

  /** An error, and again every hour: until `rekey` comes to its end, values open that are not bound to their tenants. */
  private reportStalled(): void {
    const { stalledMs, stalledReportMs } = this.config.timing.sealing;
    const since = this.phases.stalledSince(stalledMs);
    if (since === null || performance.now() - this.reportedAt < stalledReportMs) return;
    this.reportedAt = performance.now();
    this.logger.error(
      `a rekey has got no further since ${since.toISOString()} and has not come to its end, so that values in the ` +
        'format of the previous release still open; run: servicectl rekey (when none was interrupted, somebody has put ' +
        'back an old row of seal_format)',
    );
  }
}
