import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';

const REPEAT_MS = 60_000;

/** Tells once of a Redis that is lost, again every minute that it stays so, and once of its return. */
export class RedisOutage {
  private readonly logger = new Logger('Redis');
  private lastToldAt: number | null = null;

  began(error: Error): void {
    const now = performance.now();
    if (this.lastToldAt !== null && now - this.lastToldAt < REPEAT_MS) return;
    const state = this.lastToldAt === null ? 'does not answer' : 'still does not answer';
    this.logger.warn(error, `Redis ${state}; runs wait in the database meanwhile`);
    this.lastToldAt = now;
  }

  ended(): void {
    if (this.lastToldAt !== null) this.logger.log('Redis answers again');
    this.lastToldAt = null;
  }
}

/**
 * A connection for Bull, which waits for Redis as long as it takes: no limit on retries per command and no
 * ready check on its blocking and subscribing connections (https://github.com/OptimalBits/bull, REFERENCE).
 */
export function redisConnection(url: string, outage: RedisOutage): Redis {
  const connection = new Redis(url, {
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
    connectionName: 'service',
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2000),
  });
  connection.on('error', (error) => {
    outage.began(error);
  });
  connection.on('ready', () => {
    // Ready means connected; a server that refuses the password is that as well.
    connection.ping().then(
      () => {
        outage.ended();
      },
      (error: unknown) => {
        outage.began(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
  return connection;
}
