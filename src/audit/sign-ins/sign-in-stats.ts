import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { timeSeries } from '../../http/index.js';
import type { TimeSeriesQuery } from '../../http/index.js';
import { NO_SIGN_INS, SignInCounts } from './sign-in-counts.js';
import { ROW_MINUTES, SignInStatsRepository } from './sign-in-stats.repository.js';
import type { SignInPart } from './sign-in-stats.repository.js';

export const SIGN_IN_INTERVALS = ['5m', '1h', '1d'] as const;
export type SignInInterval = (typeof SIGN_IN_INTERVALS)[number];

const LENGTHS: Readonly<Record<SignInInterval, number>> = { '5m': ROW_MINUTES, '1h': 60, '1d': 1440 };
const MINUTE_MS = 60_000;

/**
 * The figures of sign-ins in the whole deployment. Each process stores its counts every two seconds, so that a sign-in
 * needs no statement for them. A process that dies loses two seconds of them; the audit trail has each sign-in.
 */
@Injectable()
export class SignInStats extends PeriodicService {
  private readonly stats = new SignInStatsRepository();

  constructor(
    private readonly database: Database,
    private readonly counts: SignInCounts,
    @Inject(CONFIG) private readonly config: Config,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'stats of sign-ins', config.timing.audit.signInsMs);
  }

  async runOnce(): Promise<void> {
    const counted = this.counts.take();
    if (counted === null) return;
    try {
      await this.stats.add(this.database.autoCommit, counted, this.config.timing.lives.signInFiguresDays);
    } catch (error) {
      this.counts.giveBack(counted);
      throw error;
    }
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.runOnce();
  }

  /** One point for each interval that overlaps the time, even if nobody signed in. @throws validation_failed */
  async series(interval: SignInInterval, time: TimeSeriesQuery): Promise<SignInPart[]> {
    const minutes = LENGTHS[interval];
    const { since, until, starts } = timeSeries(time, { lengthMs: minutes * MINUTE_MS, interval });
    const parts = await this.stats.parts(this.database.reader, { since, until, minutes });
    const found = new Map(parts.map((part) => [part.at, part]));
    return starts.map((at) => found.get(at) ?? { ...NO_SIGN_INS, at });
  }
}
