import { ApiProperty } from '@nestjs/swagger';
import { Inject, Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { AccessTokenSigner } from '../identity/index.js';
import { WorkerHeartbeat } from '../jobs/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Database, firstRow } from '../platform/database/index.js';
import { Readiness } from '../platform/lifecycle/index.js';
import { QueueConnection } from '../platform/queue/index.js';
import { SchedulerTick } from '../scheduler/index.js';

const STATES = ['ok', 'degraded', 'down'] as const;

export class CapabilitiesDto {
  @ApiProperty({ enum: STATES })
  auth!: (typeof STATES)[number];

  @ApiProperty({
    enum: STATES,
    description: '`ok` when a scheduler ticks, Redis answers and a worker lives, wherever they run.',
  })
  jobs!: (typeof STATES)[number];
}

export class HealthDto {
  @ApiProperty({ enum: STATES })
  status!: (typeof STATES)[number];

  @ApiProperty()
  capabilities!: CapabilitiesDto;

  @ApiProperty({ type: Object, example: { postgres: 'ok', redis: 'ok', scheduler: 'ok', worker: 'ok' } })
  checks!: Record<string, 'ok' | 'down'>;
}

export class ProbeDto {
  @ApiProperty({ enum: ['ok', 'down'] })
  status!: 'ok' | 'down';
}

type Check = 'ok' | 'down';

/** The state of the deployment as this instance sees it. */
@Injectable()
export class Health {
  constructor(
    private readonly database: Database,
    private readonly queue: QueueConnection,
    private readonly scheduler: SchedulerTick,
    private readonly workers: WorkerHeartbeat,
    private readonly accessTokens: AccessTokenSigner,
    private readonly readiness: Readiness,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async report(): Promise<HealthDto> {
    const { answerLimitMs } = this.config.timing.health;
    const checked = (question: () => Promise<boolean>): Promise<Check> => check(question, answerLimitMs);
    const [postgres, redis, scheduler, worker] = await Promise.all([
      checked(async () => (await firstRow(this.database.reader, 'SELECT 1 AS one')) !== null),
      checked(() => this.queue.isUsable()),
      checked(() => this.scheduler.tickedLately()),
      checked(async () => (await this.workers.countAlive()) > 0),
    ]);
    const checks = { postgres, redis, scheduler, worker };
    const auth = postgres === 'ok' && this.accessTokens.isReady ? 'ok' : 'down';
    const jobs = Object.values(checks).every((check) => check === 'ok')
      ? 'ok'
      : postgres === 'ok'
        ? 'degraded'
        : 'down';
    const status = postgres === 'down' ? 'down' : auth === 'ok' && jobs === 'ok' ? 'ok' : 'degraded';
    return { status, capabilities: { auth, jobs }, checks };
  }

  /**
   * Ready to take traffic. Without Redis, runs wait but requests can be served; a Redis that evicts keys makes the
   * instance not ready.
   */
  async isReady(): Promise<boolean> {
    return this.readiness.isReady && (!this.queue.isConnected || (await this.queue.isUsable()));
  }
}

async function check(question: () => Promise<boolean>, milliseconds: number): Promise<Check> {
  try {
    return (await pTimeout(question(), { milliseconds })) ? 'ok' : 'down';
  } catch {
    return 'down';
  }
}
