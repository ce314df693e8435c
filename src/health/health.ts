import { ApiProperty } from '@nestjs/swagger';
import { Inject, Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { AccessTokenSigner } from '../identity/index.js';
import { WorkerHeartbeat } from '../jobs/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Readiness } from '../platform/lifecycle/index.js';
import { QueueConnection } from '../platform/queue/index.js';
import { SchedulerTick } from '../scheduler/index.js';
import { DatabaseProbe } from './database-probe.js';

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

  @ApiProperty({
    type: Object,
    required: false,
    description: 'Why PostgreSQL or Redis is down; absent when both work.',
    example: { postgres: 'takes no writes: it is a standby, or default_transaction_read_only is on' },
  })
  problems?: Record<string, string>;
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
    private readonly database: DatabaseProbe,
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
    const [database, queue, scheduler, worker] = await Promise.all([
      this.database.problem(),
      this.queue.problem(),
      checked(() => this.scheduler.tickedLately()),
      checked(async () => (await this.workers.countAlive()) > 0),
    ]);
    const postgres: Check = database === null ? 'ok' : 'down';
    const redis: Check = queue === null ? 'ok' : 'down';
    const checks = { postgres, redis, scheduler, worker };
    const problems = {
      ...(database === null ? {} : { postgres: database.reason }),
      ...(queue === null ? {} : { redis: queue }),
    };
    const auth = postgres === 'ok' && this.accessTokens.isReady ? 'ok' : 'down';
    const jobs = Object.values(checks).every((check) => check === 'ok')
      ? 'ok'
      : postgres === 'ok'
        ? 'degraded'
        : 'down';
    const status = postgres === 'down' ? 'down' : auth === 'ok' && jobs === 'ok' ? 'ok' : 'degraded';
    const isWell = database === null && queue === null;
    return { status, capabilities: { auth, jobs }, checks, ...(isWell ? {} : { problems }) };
  }

  /**
   * Ready to take traffic. Without Redis, runs wait but requests can be served; a Redis that refuses to work or evicts
   * keys makes the instance not ready. So does a database that refuses to work, but not one that is slow, or a busy
   * deployment would lose its instances when it needs them.
   */
  async isReady(): Promise<boolean> {
    if (!this.readiness.isReady || this.queue.isRefusing) return false;
    const [database, queue] = await Promise.all([
      this.database.problem(),
      this.queue.isConnected ? this.queue.problem() : null,
    ]);
    return (database === null || database.isSilent) && queue === null;
  }
}

async function check(question: () => Promise<boolean>, milliseconds: number): Promise<Check> {
  try {
    return (await pTimeout(question(), { milliseconds })) ? 'ok' : 'down';
  } catch {
    return 'down';
  }
}
