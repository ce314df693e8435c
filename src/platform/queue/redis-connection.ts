import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Command } from 'ioredis';
import { sentinelOptions } from './redis-servers.js';
import type { RedisServers } from './redis-servers.js';

const LOG_INTERVAL_MS = 60_000;

/** Logs once when Redis becomes unavailable, every minute while it stays so, and once when it is back. */
export class RedisOutage {
  private readonly logger = new Logger('Redis');
  private lastLoggedAt: number | null = null;

  began(error: Error): void {
    const now = performance.now();
    if (this.lastLoggedAt !== null && now - this.lastLoggedAt < LOG_INTERVAL_MS) return;
    const state = this.lastLoggedAt === null ? 'does not answer' : 'still does not answer';
    this.logger.warn(error, `Redis ${state}; runs wait in the database until it does`);
    this.lastLoggedAt = now;
  }

  ended(): void {
    if (this.lastLoggedAt !== null) this.logger.log('Redis answers again');
    this.lastLoggedAt = null;
  }
}

/**
 * Subscribes again once Redis accepts the password. ioredis itself does so as soon as it is connected; where Redis then
 * refuses the password, it forgets the subscriptions and leaves the refusal as an unhandled rejection.
 */
class ResubscribingRedis extends Redis {
  private readonly subscriptions = new Map<string, Set<string>>();

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    this.remember(command);
    return super.sendCommand(command, stream);
  }

  async resubscribe(): Promise<void> {
    for (const [name, channels] of this.subscriptions) await this.call(name, ...channels);
  }

  private remember({ name, args }: Command): void {
    if (name !== 'subscribe' && name !== 'psubscribe') return;
    const channels = this.subscriptions.get(name) ?? new Set();
    this.subscriptions.set(name, channels);
    for (const channel of args.flat()) channels.add(String(channel));
  }
}

/**
 * A connection for Bull, which waits for Redis without a time limit: no maximum of retries per command, and no ready
 * check on its blocking and subscribing connections (https://github.com/OptimalBits/bull, REFERENCE).
 */
export function redisConnection(servers: RedisServers, outage: RedisOutage): Redis {
  const connection = new ResubscribingRedis(servers.url, {
    ...sentinelOptions(servers),
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
    autoResubscribe: false,
    connectionName: 'service',
    // A former primary that has become a replica answers, and takes no writes. Connects again, and repeats the command.
    reconnectOnError: ({ message }) => (message.includes('READONLY') ? 2 : false),
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2000),
  });
  connection.on('error', (error) => {
    outage.began(error);
  });
  connection.on('ready', () => {
    // "ready" only means connected, even to a server that refuses the password.
    connection.ping().then(
      () => {
        outage.ended();
        // A connection that is lost meanwhile is ready again later.
        connection.resubscribe().catch(() => undefined);
      },
      (error: unknown) => {
        outage.began(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
  return connection;
}

/** The connections given to Bull. Bull closes only connections that it opened itself, so this keeps them. */
@Injectable()
export class RedisConnections {
  private readonly opened: Redis[] = [];
  private readonly outage = new RedisOutage();

  open(servers: RedisServers): Redis {
    const connection = redisConnection(servers, this.outage);
    this.opened.push(connection);
    return connection;
  }

  closeAll(): void {
    for (const connection of this.opened) connection.disconnect();
  }
}
