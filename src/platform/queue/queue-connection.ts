import { Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Redis } from 'ioredis';
import pTimeout from 'p-timeout';
import type { Config } from '../config/index.js';
import type { RedisConnections } from './redis-connection.js';
import { evictingPolicyOf } from './redis-info.js';

/** The connection to the queues in Redis, and whether Redis is usable at the moment. */
export class QueueConnection implements OnApplicationShutdown {
  private readonly logger = new Logger(QueueConnection.name);
  private hasWarned = false;

  constructor(
    private readonly queues: readonly [Queue, ...Queue[]],
    private readonly connections: RedisConnections,
    readonly timing: Config['timing']['redis'],
  ) {}

  /** Closes the connections that Bull leaves open, once Bull no longer needs them. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.close()));
    this.connections.closeAll();
  }

  /** The connection on which wake-ups are added. Other commands may use it if they do not block. */
  get client(): Redis {
    return this.queues[0].client;
  }

  /** Whether a command is sent at once, instead of waiting in memory until Redis is back. */
  get isConnected(): boolean {
    return this.client.status === 'ready';
  }

  /**
   * Whether Redis answers and never evicts keys: with any `maxmemory-policy` other than `noeviction`, it may silently
   * drop wake-ups and the locks of running work.
   */
  async isUsable(): Promise<boolean> {
    if (!this.isConnected) return false;
    const answer = this.client.info('memory').then(
      (memory) => this.neverEvicts(memory),
      (error: unknown) => this.answersWithoutInfo(error),
    );
    return await within(this.timing.answerLimitMs, answer);
  }

  private neverEvicts(memory: string): boolean {
    const policy = evictingPolicyOf(memory);
    const isSafe = policy === null;
    if (!isSafe && !this.hasWarned) {
      this.logger.error(
        `Redis has maxmemory-policy ${policy}; set it to noeviction, otherwise runs may be delayed`,
      );
    }
    this.hasWarned = !isSafe;
    return isSafe;
  }

  /** Managed servers may deny INFO to an account. That must not keep the instance from becoming ready. */
  private answersWithoutInfo(error: unknown): boolean {
    if (!(error instanceof Error) || !error.message.startsWith('NOPERM')) throw error;
    if (!this.hasWarned) {
      this.logger.warn(
        'the Redis account may not run INFO, so its maxmemory-policy cannot be checked; ' +
          'allow it (ACL SETUSER <user> +info), and make sure that the policy is noeviction',
      );
    }
    this.hasWarned = true;
    return true;
  }

  /** Adds a wake-up to a queue unless Redis is unavailable or slow. Returns false when it may not have arrived. */
  async addWakeUp(add: () => Promise<unknown>): Promise<boolean> {
    if (!this.isConnected) return false;
    return await within(
      this.timing.addLimitMs,
      add().then(() => true),
    );
  }
}

/** Returns false when `work` fails or takes longer than `limitMs`. */
async function within(limitMs: number, work: Promise<boolean>): Promise<boolean> {
  return await pTimeout(
    work.catch(() => false),
    { milliseconds: limitMs, fallback: () => false },
  );
}
