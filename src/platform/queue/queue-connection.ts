import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Redis } from 'ioredis';
import { MAIL_QUEUE, RUN_QUEUE } from './queues.js';
import { RedisConnections } from './redis-connections.js';

const ANSWER_LIMIT_MS = 1000;
/** How long a hint may take before whoever gives it goes on without it. */
const HINT_LIMIT_MS = 1000;

/** Whether Redis can be used right now. */
@Injectable()
export class QueueConnection implements OnApplicationShutdown {
  private readonly logger = new Logger(QueueConnection.name);
  private hasWarned = false;

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue,
    @InjectQueue(MAIL_QUEUE) private readonly mails: Queue,
    private readonly connections: RedisConnections,
  ) {}

  /** Closes what Bull leaves open, once it needs it no more. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.queue.close(), this.mails.close()]);
    this.connections.closeAll();
  }

  /** The connection on which hints are added, for other commands that do not block. */
  get client(): Redis {
    return this.queue.client;
  }

  /** Whether a command sent now goes out now, instead of waiting in memory for Redis to come back. */
  get isConnected(): boolean {
    return this.queue.client.status === 'ready';
  }

  /**
   * Whether Redis answers, and is one that keeps what it is given: any `maxmemory-policy` but `noeviction`
   * may silently drop hints and the locks of running work.
   */
  async isUsable(): Promise<boolean> {
    if (!this.isConnected) return false;
    const answer = this.queue.client.info('memory').then(
      (memory) => this.keepsEverything(memory),
      (error: unknown) => this.answersAtLeast(error),
    );
    return await within(ANSWER_LIMIT_MS, answer);
  }

  private keepsEverything(memory: string): boolean {
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
    const keeps = policy === undefined || policy === 'noeviction';
    if (!keeps && !this.hasWarned) {
      this.logger.error(`Redis has maxmemory-policy ${policy}; set it to noeviction, or runs will be late`);
    }
    this.hasWarned = !keeps;
    return keeps;
  }

  /** Managed servers may keep INFO from an account; that is no reason never to be ready. */
  private answersAtLeast(error: unknown): boolean {
    if (!(error instanceof Error) || !error.message.startsWith('NOPERM')) throw error;
    if (!this.hasWarned) {
      this.logger.warn(
        'the Redis account may not run INFO, so its maxmemory-policy cannot be checked; ' +
          'allow it (ACL SETUSER <user> +info), and see to it that the policy is noeviction',
      );
    }
    this.hasWarned = true;
    return true;
  }

  /** Adds a hint to a queue, unless Redis is away or slow. False when it is not known to have arrived. */
  async hint(add: () => Promise<unknown>): Promise<boolean> {
    if (!this.isConnected) return false;
    return await within(
      HINT_LIMIT_MS,
      add().then(() => true),
    );
  }
}

/** False when `work` fails or takes longer than `limitMs`. */
async function within(limitMs: number, work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, limitMs);
  });
  try {
    return await Promise.race([work.catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
