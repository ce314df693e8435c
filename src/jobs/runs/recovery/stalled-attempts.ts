import { Injectable } from '@nestjs/common';
import { ReportedEnds } from '../finish/reported-ends.js';
import { RunEnds } from '../finish/run-ends.js';

/** Attempts and runs that will not end by themselves. */
@Injectable()
export class StalledAttempts {
  constructor(
    private readonly ends: RunEnds,
    private readonly reported: ReportedEnds,
  ) {}

  /** Ends the attempts of dead workers. */
  async recover(): Promise<void> {
    await this.ends.recoverFromDeadWorkers();
  }

  /** Ends runs that have not started in time. */
  async endLate(): Promise<void> {
    await this.ends.endLateRuns();
  }

  /** Ends deferred attempts without a sign of life for their time limit. */
  async timeOut(): Promise<void> {
    await this.reported.timeOutExpired();
  }
}
