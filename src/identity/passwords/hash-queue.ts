import { ServiceError } from '../../http/index.js';

/** The `Retry-After` of a refusal, in seconds; by then the queue is empty. */
const RETRY_AFTER_SECS = 5;

export function overloaded(): ServiceError {
  return new ServiceError('overloaded', { headers: { 'Retry-After': String(RETRY_AFTER_SECS) } });
}

interface Waiter {
  readonly slots: number;
  readonly begin: () => void;
  readonly refuse: (refusal: ServiceError) => void;
}

/**
 * Runs a bounded number of hashes at a time and lets a bounded number wait, taking the waiting clients in turns. A
 * client that floods the queue delays only itself. When the queue is full, the client with the most entries loses its
 * latest one. A hash that costs more than others takes as many slots as it costs times as much memory; one that costs
 * more than there is runs alone.
 */
export class HashQueue {
  /** In the order of their next turns, without clients that have nothing waiting. */
  private readonly waiting = new Map<string, Waiter[]>();
  private waitingCount = 0;
  /** Places that are taken. */
  private taken = 0;

  /** @param waitingLimit how many may wait, all clients together */
  constructor(
    private readonly concurrency: number,
    private readonly waitingLimit: number,
  ) {}

  /** @param weight how many slots it takes @throws overloaded */
  async run<Result>(client: string, work: () => Promise<Result>, weight = 1): Promise<Result> {
    const slots = Math.min(weight, this.concurrency);
    await this.turn(client, slots);
    try {
      return await work();
    } finally {
      this.taken -= slots;
      this.next();
    }
  }

  private hasFreeSlots(slots: number): boolean {
    return this.taken + slots <= this.concurrency;
  }

  private async turn(client: string, slots: number): Promise<void> {
    // Not past those that wait: a heavy one would wait for ever behind light ones.
    if (this.waitingCount === 0 && this.hasFreeSlots(slots)) {
      this.taken += slots;
      return;
    }
    const own = this.waiting.get(client)?.length ?? 0;
    if (this.waitingCount >= this.waitingLimit) this.makeRoom(own);
    await new Promise<void>((begin, refuse) => {
      const waiters = this.waiting.get(client) ?? [];
      waiters.push({ slots, begin, refuse });
      this.waiting.set(client, waiters);
      this.waitingCount += 1;
    });
  }

  /** Removes the latest entry of the longest queue, if that queue stays at least as long as the newcomer's becomes. */
  private makeRoom(own: number): void {
    let longest: string | undefined;
    let length = own + 1;
    for (const [client, { length: others }] of this.waiting) {
      if (others > length) [longest, length] = [client, others];
    }
    const evicted = longest === undefined ? undefined : this.waiting.get(longest)?.pop();
    if (evicted === undefined) throw overloaded();
    this.waitingCount -= 1;
    evicted.refuse(overloaded());
  }

  /** Begins those whose turn it is, as far as there is room. */
  private next(): void {
    for (const [client, waiters] of this.waiting) {
      const [waiter] = waiters;
      if (waiter === undefined || !this.hasFreeSlots(waiter.slots)) return;
      waiters.shift();
      // To the end of the order, if the client has more waiting.
      this.waiting.delete(client);
      if (waiters.length > 0) this.waiting.set(client, waiters);
      this.waitingCount -= 1;
      this.taken += waiter.slots;
      waiter.begin();
    }
  }
}
