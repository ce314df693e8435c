import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Command } from 'ioredis';
import { redisRefusalOf } from './redis-refusal.js';
import type { RedisRefusal } from './redis-refusal.js';
import { sentinelOptions } from './redis-servers.js';
import type { RedisServers } from './redis-servers.js';

const LOG_INTERVAL_MS = 60_000;

/** Logs once when Redis becomes unavailable, every minute while it stays so, and once when it is back. */
export class RedisOutage {
  private readonly logger = new Logger('Redis');
  private lastLoggedAt: number | null = null;
  private refused: RedisRefusal | null = null;
  private onRefusal: () => void = () => undefined;

  /** Why Redis, which answers, does not work; null when it does, and when it does not answer. */
  get refusal(): RedisRefusal | null {
    return this.refused;
  }

  /** @param notice is called when Redis begins to refuse */
  watch(notice: () => void): void {
    this.onRefusal = notice;
  }

  refuse(refusal: RedisRefusal, error: Error): void {
    const isNews = this.refused === null;
    this.refused = refusal;
    this.began(error, refusal.reason);
    if (isNews) this.onRefusal();
  }

  /** Redis works again, or is gone altogether. */
  forgetRefusal(): void {
    this.refused = null;
  }

  began(error: Error, reason = 'does not answer'): void {
    const now = performance.now();
    if (this.lastLoggedAt !== null && now - this.lastLoggedAt < LOG_INTERVAL_MS) return;
    const still = this.lastLoggedAt === null ? '' : 'still ';
    this.logger.warn(error, `Redis ${still}${reason}; runs wait in the database until it does`);
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
    // It sees the errors of all commands. Who connects again, and when, is decided once for all connections.
    reconnectOnError: (error) => {
      const refusal = redisRefusalOf(error);
      if (refusal !== null) outage.refuse(refusal, error);
      return false;
    },
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2000),
  });
  connection.on('error', (error: NodeJS.ErrnoException) => {
    // No server that refuses: none.
    if (error.code !== undefined) outage.forgetRefusal();
    outage.began(error);
  });
  connection.on('ready', () => {
    // "ready" only means connected, even to a server that refuses the password.
    connection.ping().then(
      () => {
        if (outage.refusal === null) outage.ended();
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
  readonly outage = new RedisOutage();

  open(servers: RedisServers): Redis {
    const connection = redisConnection(servers, this.outage);
    this.opened.push(connection);
    return connection;
  }

  /** Closes all connections, and opens them again to where the name or the Sentinels lead now. */
  openAgain(): void {
    for (const connection of this.opened) if (connection.status === 'ready') connection.disconnect(true);
  }

  closeAll(): void {
    for (const connection of this.opened) connection.disconnect();
  }
}
