import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import { RUN_QUEUE } from './queues.js';

const PING_LIMIT_MS = 1000;

/** Whether Redis can be used right now. */
@Injectable()
export class QueueConnection {
  constructor(@InjectQueue(RUN_QUEUE) private readonly queue: Queue) {}

  /** Whether a command sent now goes out now, instead of waiting in memory for Redis to come back. */
  get isConnected(): boolean {
    return this.queue.client.status === 'ready';
  }

  async answers(): Promise<boolean> {
    if (!this.isConnected) return false;
    return await within(
      PING_LIMIT_MS,
      this.queue.client.ping().then(() => true),
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
