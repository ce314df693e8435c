import { Inject, Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { WorkerHeartbeat } from '../jobs/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Database, primaryServer, refusalOf } from '../platform/database/index.js';
import { InstanceRepository } from './instances/instance.repository.js';

/** What keeps the database from working. */
export interface DatabaseProblem {
  /** Words that follow "PostgreSQL" and give nothing away. */
  readonly reason: string;
  /** Whether it just did not answer in time, which it may be too busy for. */
  readonly isSilent: boolean;
}

/** Finds out whether the database works by a write: a server that answers may be a standby, or have a full disk. */
@Injectable()
export class DatabaseProbe {
  private last: { readonly at: number; readonly problem: Promise<DatabaseProblem | null> } | null = null;

  constructor(
    private readonly database: Database,
    private readonly instances: InstanceRepository,
    private readonly worker: WorkerHeartbeat,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns null when the database works */
  async problem(): Promise<DatabaseProblem | null> {
    const now = performance.now();
    const { probeMs } = this.config.timing.health;
    if (this.last === null || now - this.last.at >= probeMs) this.last = { at: now, problem: this.ask() };
    return await this.last.problem;
  }

  private async ask(): Promise<DatabaseProblem | null> {
    const { answerLimitMs, refusedLatelyMs } = this.config.timing.health;
    try {
      const written = this.instances.touch(this.database.autoCommit, this.worker.workerId);
      const isAnswered = await pTimeout(
        written.then(() => true),
        { milliseconds: answerLimitMs, fallback: () => false },
      );
      if (!isAnswered) return { reason: 'does not answer', isSilent: true };
    } catch (error) {
      return { reason: refusalOf(error), isSilent: false };
    }
    const refused = primaryServer(this.config.database.url ?? '').refusalWithin(refusedLatelyMs);
    return refused === null ? null : { reason: refusalOf(refused), isSilent: false };
  }
}
