import { Inject, Injectable } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import argon2 from 'argon2';
import { Counter } from 'prom-client';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { CONFIG, threadPoolSize } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { rateKeyOf } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { HashQueue } from './hash-queue.js';

export const PASSWORD_HASHES = 'service_password_hashes_total';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** base64 without padding, as PHC strings have it. */
function phcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/**
 * Argon2id (RFC 9106), off the event loop and under a bound: each hash takes `argon2_memory_kib` of memory and a core,
 * so at most `hash_concurrency` run and `hash_queue_limit` wait, shared out by client address. Beyond that, callers are
 * refused with `overloaded` instead of waiting without limit.
 */
@Injectable()
export class PasswordHasher {
  private readonly parameters: { memoryCost: number; timeCost: number; parallelism: number };
  private readonly queue: HashQueue;
  /** Stands in for the hash of an account that does not exist; no password verifies against it. */
  private readonly dummyHash: string;

  constructor(
    @Inject(CONFIG) config: Config,
    @InjectMetric(PASSWORD_HASHES) private readonly hashes: Counter,
  ) {
    const { identity } = config;
    this.parameters = {
      memoryCost: identity.argon2MemoryKib,
      timeCost: identity.argon2TimeCost,
      parallelism: identity.argon2Parallelism,
    };
    // One thread is always left to the rest of the program, for name look-ups, files and signatures.
    const spareThreads = Math.max(threadPoolSize() - 1, 1);
    const concurrency = Math.min(identity.hashConcurrency ?? availableParallelism(), spareThreads);
    this.queue = new HashQueue(concurrency, identity.hashQueueLimit);
    const { memoryCost, timeCost, parallelism } = this.parameters;
    const salt = phcBase64(randomBytes(SALT_BYTES));
    const digest = phcBase64(randomBytes(HASH_BYTES));
    this.dummyHash = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
  }

  /** The PHC string of a password. @throws overloaded */
  async hash(password: string, origin: Origin): Promise<string> {
    return await this.queued(origin, () =>
      argon2.hash(password, { type: argon2.argon2id, ...this.parameters }),
    );
  }

  /**
   * Whether the password is the one of `hash`. Exactly one Argon2 computation, also for an account that has no hash or
   * does not exist (null), so that the time reveals nothing.
   * @param admit runs when it is the caller's turn; if it throws, nothing is computed
   * @throws overloaded
   */
  async verify(
    hash: string | null,
    password: string,
    origin: Origin,
    admit: () => Promise<void>,
  ): Promise<boolean> {
    const work = (): Promise<boolean> => argon2.verify(hash ?? this.dummyHash, password);
    const matches = await this.queued(origin, work, admit);
    return matches && hash !== null;
  }

  /** Whether a hash was made with weaker parameters than are configured now. */
  needsRehash(hash: string): boolean {
    return argon2.needsRehash(hash, this.parameters);
  }

  private async queued<Result>(
    { ip }: Origin,
    work: () => Promise<Result>,
    admit?: () => Promise<void>,
  ): Promise<Result> {
    return await this.queue.run(rateKeyOf(ip), async () => {
      await admit?.();
      this.hashes.inc();
      return await work();
    });
  }
}
