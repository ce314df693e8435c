import { Injectable } from '@nestjs/common';
import { KeyRing } from '../../platform/crypto/index.js';
import { Database, rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { AnchorCheck } from './anchor-check.js';
import type { AnchoredHead } from './anchor-check.js';
import { ChainCheck } from './chain-check.js';
import type { BrokenChain } from './chain-check.js';
import { ChainMac } from './chain-mac.js';
import { ChainRepository } from './chain.repository.js';
import type { NamedHead, ChainPosition } from './chain.repository.js';
import { openCheckpoint } from './checkpoint.js';
import type { Checkpoint } from './checkpoint.js';

const BATCH = 2_000;

export interface Verification {
  readonly chains: number;
  readonly entries: number;
  readonly broken: readonly BrokenChain[];
}

/** What to verify, and how far it has come. */
export interface VerificationRequest {
  /** Null for all chains of the deployment. */
  readonly chainIds: readonly string[] | null;
  /** Heads that were exported earlier, which the chains must still contain. */
  readonly anchor?: AsyncIterable<readonly AnchoredHead[]>;
  /** How many entries to read and check at a time. */
  readonly batch?: number;
  /** Called after each batch with the number of entries verified so far. */
  readonly onProgress?: (entries: number) => void;
}

/** Verifies hash chains from their beginning to their head, while the program continues to append. */
@Injectable()
export class AuditVerifier {
  private readonly chains = new ChainRepository();

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
  ) {}

  async verifyChains({
    chainIds,
    anchor,
    batch = BATCH,
    onProgress,
  }: VerificationRequest): Promise<Verification> {
    return await this.database.transaction(async (tx) => {
      // One snapshot, so that entries and heads are from the same instant, whatever is appended meanwhile.
      await rows(tx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const run = new VerificationRun(tx, this.chains, this.keyRing, chainIds, batch);
      let last: ChainPosition | null = null;
      do {
        last = await run.next(last);
        onProgress?.(run.entries);
      } while (last !== null);
      const verification = await run.finish();
      if (anchor === undefined) return verification;
      const known = new Set(verification.broken.map(({ chainId }) => chainId));
      const check = new AnchorCheck(this.chains, this.keyRing);
      const apart: BrokenChain[] = [];
      for await (const heads of anchor) {
        const meant = chainIds === null ? heads : heads.filter(({ chainId }) => chainIds.includes(chainId));
        apart.push(...(await check.compare(tx, meant)).filter(({ chainId }) => !known.has(chainId)));
      }
      return { ...verification, broken: [...verification.broken, ...apart] };
    });
  }
}

class VerificationRun {
  entries = 0;
  private finished = 0;
  private readonly broken: BrokenChain[] = [];
  private current: ChainCheck | null = null;
  private readonly macs: ChainMac;

  constructor(
    private readonly tx: Tx,
    private readonly chains: ChainRepository,
    private readonly keyRing: KeyRing,
    private readonly chainIds: readonly string[] | null,
    private readonly size: number,
  ) {
    this.macs = new ChainMac(keyRing);
  }

  /** Verifies a batch of entries. Returns the position at which it ended, or null after the last one. */
  async next(after: ChainPosition | null): Promise<ChainPosition | null> {
    const batch = await this.chains.entriesAfter(this.tx, this.chainIds, after, this.size);
    const named = [...new Set(batch.map(({ chainId }) => chainId))];
    const heads = await this.chains.heads(
      this.tx,
      this.current === null ? named : [this.current.chainId, ...named],
    );
    const checkpoints = await this.checkpoints(named);
    for (const entry of batch) {
      if (this.current?.chainId !== entry.chainId) {
        this.close(heads);
        this.current = new ChainCheck(entry.chainId, this.macs, checkpoints.get(entry.chainId) ?? null);
      }
      this.current.follow(entry);
      this.entries += 1;
    }
    const last = batch.at(-1);
    if (last !== undefined && batch.length === this.size) return last;
    this.close(heads);
    return null;
  }

  async finish(): Promise<Verification> {
    const emptied = await this.chains.withoutEntries(this.tx, this.chainIds);
    for (let first = 0; first < emptied.length; first += BATCH) {
      const chainIds = emptied.slice(first, first + BATCH);
      const heads = await this.chains.heads(this.tx, chainIds);
      const checkpoints = await this.checkpoints(chainIds);
      for (const chainId of chainIds) {
        this.current = new ChainCheck(chainId, this.macs, checkpoints.get(chainId) ?? null);
        this.close(heads);
      }
    }
    return { chains: this.finished, entries: this.entries, broken: this.broken };
  }

  private async checkpoints(
    chainIds: readonly string[],
  ): Promise<ReadonlyMap<string, Checkpoint | 'altered'>> {
    const found = await this.chains.checkpoints(this.tx, chainIds);
    return new Map(
      [...found].map(([chainId, { sealed }]) => [
        chainId,
        openCheckpoint(this.keyRing, chainId, sealed) ?? 'altered',
      ]),
    );
  }

  private close(heads: ReadonlyMap<string, NamedHead>): void {
    if (this.current === null) return;
    this.finished += 1;
    this.current.finish(heads.get(this.current.chainId) ?? null);
    if (this.current.found !== null) this.broken.push(this.current.found);
    this.current = null;
  }
}
