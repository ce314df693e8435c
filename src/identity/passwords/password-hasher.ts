import { Inject, Injectable } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import argon2 from 'argon2';
import { Counter } from 'prom-client';
import { availableParallelism } from 'node:os';
import { CONFIG, threadPoolSize } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { rateKeyOf } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { HashQueue } from './hash-queue.js';
import { parseImportedHash } from './imported/imported-hash.js';
import { standInOf } from './imported/stand-in.js';

export const PASSWORD_HASHES = 'service_password_hashes_total';

/** What one verification computes, and how many of our own hashes it takes the room of. */
interface Verification {
  readonly weight: number;
  readonly compute: (password: string) => Promise<boolean>;
}

/**
 * Argon2id (RFC 9106), off the event loop and under a bound: each hash takes `argon2_memory_kib` of memory and a core,
 * so at most `hash_concurrency` run and `hash_queue_limit` wait, shared out by client address. Beyond that, callers are
 * refused with `overloaded` instead of waiting without limit. Hashes that other systems computed are verified within
 * the same bound: one that takes the memory or the threads of several of ours counts as several.
 */
@Injectable()
export class PasswordHasher {
  private readonly parameters: { memoryCost: number; timeCost: number; parallelism: number };
  private readonly queue: HashQueue;
  /** The algorithm and parameters of our own hashes. */
  readonly ownKind: string;
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
    this.ownKind = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}`;
    this.dummyHash = standInOf(this.ownKind);
  }

  /** The PHC string of a password. @throws overloaded */
  async hash(password: string, origin: Origin): Promise<string> {
    return await this.queued(origin, () =>
      argon2.hash(password, { type: argon2.argon2id, ...this.parameters }),
    );
  }

  /**
   * Whether the password is the one of `hash`. Exactly one computation, also for an account that has no hash or does not
   * exist (null), so that the time reveals nothing.
   * @param beforeComputing runs when it is the caller's turn; if it throws, nothing is computed
   * @param standIn is verified in the place of null; see `StandInHashes`
   * @throws overloaded
   */
  async verifyPassword(
    hash: string | null,
    password: string,
    origin: Origin,
    beforeComputing: () => Promise<void>,
    standIn = this.dummyHash,
  ): Promise<boolean> {
    const { weight, compute } = this.verification(hash ?? standIn);
    const matches = await this.queued(origin, () => compute(password), { beforeComputing, weight });
    return matches && hash !== null;
  }

  /** Whether a hash was made with other parameters than are configured now, or with another algorithm. */
  needsRehash(hash: string): boolean {
    return !hash.startsWith('$argon2id$') || argon2.needsRehash(hash, this.parameters);
  }

  private verification(hash: string): Verification {
    if (hash.startsWith(`${this.ownKind}$`))
      return { weight: 1, compute: (password) => argon2.verify(hash, password) };
    const imported = parseImportedHash(hash);
    // No hash that was stored by this program: it verifies nothing, in the usual time.
    if (imported === null)
      return { weight: 1, compute: async (password) => await argon2.verify(this.dummyHash, password) };
    const { memoryCost, parallelism } = this.parameters;
    const { memoryKib, threads } = imported;
    const weight = Math.max(Math.ceil(memoryKib / memoryCost), Math.ceil(threads / parallelism));
    return { weight, compute: (password) => imported.verify(password) };
  }

  private async queued<Result>(
    { ip }: Origin,
    work: () => Promise<Result>,
    {
      beforeComputing,
      weight = 1,
    }: { readonly beforeComputing?: () => Promise<void>; readonly weight?: number } = {},
  ): Promise<Result> {
    const counted = async (): Promise<Result> => {
      await beforeComputing?.();
      this.hashes.inc();
      return await work();
    };
    return await this.queue.run(rateKeyOf(ip), counted, weight);
  }
}
