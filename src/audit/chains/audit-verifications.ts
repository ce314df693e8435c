import { Injectable } from '@nestjs/common';
import { Database, firstRow } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { BrokenChain } from './chain-check.js';
import { AuditVerifier } from './audit-verifier.js';

export type ChainState = 'intact' | 'broken' | 'too_long';

/** The result of verifying one chain. */
export interface ChainVerification {
  readonly state: ChainState;
  /** The number of entries that were verified or, for a chain that is too long, of all its entries. */
  readonly entries: number;
  readonly broken: BrokenChain | null;
}

/** How many entries a request can verify within seconds. `servicectl audit verify` verifies chains of any length. */
const MAX_ENTRIES = 200_000;
/** Verifications at one time. Each holds a connection and a snapshot. */
const AT_ONCE = 2;
/** Entries that are checked without a pause, so that other requests of the process do not wait for long. */
const BATCH = 200;

/** Verifies single chains for requests. */
@Injectable()
export class AuditVerifications {
  private readonly underway = new Map<string, Promise<ChainVerification>>();

  constructor(
    private readonly database: Database,
    private readonly verifier: AuditVerifier,
  ) {}

  /** Simultaneous requests for the same chain share one verification. @throws overloaded */
  async verifyChain(chainId: string): Promise<ChainVerification> {
    const shared = this.underway.get(chainId);
    if (shared !== undefined) return await shared;
    if (this.underway.size >= AT_ONCE) throw new ServiceError('overloaded');
    const verification = this.follow(chainId).finally(() => this.underway.delete(chainId));
    this.underway.set(chainId, verification);
    return await verification;
  }

  private async follow(chainId: string): Promise<ChainVerification> {
    const entries = await this.lengthOf(chainId);
    if (entries > MAX_ENTRIES) return { state: 'too_long', entries, broken: null };
    const verified = await this.verifier.verifyChains({ chainIds: [chainId], batch: BATCH });
    const [broken = null] = verified.broken;
    return { state: broken === null ? 'intact' : 'broken', entries: verified.entries, broken };
  }

  private async lengthOf(chainId: string): Promise<number> {
    const found = await firstRow<{ length: number }>(
      this.database.reader,
      `SELECT (chain.length - coalesce(checkpoint.pruned_to, 0))::float8 AS length FROM audit_chains chain
       LEFT JOIN audit_checkpoints checkpoint ON checkpoint.chain_id = chain.id WHERE chain.id = $1`,
      [chainId],
    );
    return found?.length ?? 0;
  }
}
