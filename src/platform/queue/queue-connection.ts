import { Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Redis } from 'ioredis';
import pTimeout from 'p-timeout';
import type { Config } from '../config/index.js';
import type { RedisConnections } from './redis-connection.js';
import { evictingPolicyOf } from './redis-info.js';
import { SILENCE } from './redis-refusal.js';

/** Writes as the queue does, by a script, what soon is gone again. */
const WRITE = `return redis.call('SET', KEYS[1], 1, 'PX', 10000)`;
const WRITTEN_KEY = 'service:written';

/** The connection to the queues in Redis, and whether Redis is usable at the moment. */
export class QueueConnection implements OnApplicationShutdown {
  private readonly logger = new Logger(QueueConnection.name);
  private hasWarned = false;
  private lookingAgain: NodeJS.Timeout | null = null;
  private isListening = false;
  private isClosed = false;

  constructor(
    private readonly queues: readonly [Queue, ...Queue[]],
    private readonly connections: RedisConnections,
    readonly timing: Config['timing']['redis'],
  ) {
    connections.outage.watch(() => {
      this.lookAgainIn(0);
    });
  }

  /** Closes the connections that Bull leaves open, once Bull no longer needs them. */
  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    if (this.lookingAgain !== null) clearTimeout(this.lookingAgain);
    await Promise.all(this.queues.map((queue) => queue.close()));
    this.connections.closeAll();
  }

  /** The connection on which wake-ups are added. Other commands may use it if they do not block. */
  get client(): Redis {
    return this.queues[0].client;
  }

  /** Whether a command is sent at once, instead of waiting in memory until Redis is back, and Redis does what it is told. */
  get isConnected(): boolean {
    return this.client.status === 'ready' && !this.isRefusing;
  }

  /** Whether Redis is there and refuses to work, for example because it has become a replica. */
  get isRefusing(): boolean {
    return this.connections.outage.refusal !== null;
  }

  /**
   * What keeps Redis from working, in words that follow its name; null when it takes writes and never evicts keys. With any
   * `maxmemory-policy` other than `noeviction`, it may silently drop wake-ups and the locks of running work.
   */
  async problem(): Promise<string | null> {
    const isLate = this.isConnected && !(await this.write(this.timing.answerLimitMs));
    const { refusal } = this.connections.outage;
    if (refusal !== null) return refusal.reason;
    if (isLate) this.noticeSilence();
    if (isLate || !this.isConnected) return SILENCE.reason;
    const answer = this.client.info('memory').then(
      (memory) => this.neverEvicts(memory),
      (error: unknown) => this.answersWithoutInfo(error),
    );
    return (await within(this.timing.answerLimitMs, answer)) ? null : 'may evict keys, or does not answer';
  }

  /** A command was not answered in time. If a write is not answered either, the program goes on without Redis. */
  noticeSilence(): void {
    if (this.isListening || !this.isConnected) return;
    this.isListening = true;
    this.write(this.timing.silenceLimitMs)
      .then((isWritten) => {
        this.isListening = false;
        if (!isWritten && this.isConnected && !this.isClosed)
          this.connections.outage.refuse(SILENCE, new Error('a write was not answered in time'));
      })
      .catch((error: unknown) => {
        this.logger.debug(error);
      });
  }

  /** Whether Redis takes a write. Why it does not is noticed with the error of the command. */
  private async write(limitMs: number): Promise<boolean> {
    const written = this.client.eval(WRITE, 1, WRITTEN_KEY).then(() => true);
    return await within(limitMs, written);
  }

  /** Looks again and again whether Redis works, until it does. */
  private lookAgainIn(delayMs: number): void {
    if (this.lookingAgain !== null) clearTimeout(this.lookingAgain);
    this.lookingAgain = setTimeout(() => {
      this.lookAgain().catch((error: unknown) => {
        this.logger.debug(error);
      });
    }, delayMs);
    this.lookingAgain.unref();
  }

  private async lookAgain(): Promise<void> {
    const { outage } = this.connections;
    if (outage.refusal === null || this.isClosed) return;
    if (outage.refusal.callsForConnection) this.connections.openAgain();
    if (await this.write(this.timing.silenceLimitMs)) {
      outage.forgetRefusal();
      outage.ended();
    } else this.lookAgainIn(this.timing.lookAgainMs);
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
