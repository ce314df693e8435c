import { Injectable } from '@nestjs/common';
import { Database, rows } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { ChainCheck } from './chain-check.js';
import type { BrokenChain, ChainedEntry, ChainHead } from './chain-check.js';

const BATCH = 2_000;

export interface Verification {
  readonly chains: number;
  readonly entries: number;
  readonly broken: readonly BrokenChain[];
}

interface Place {
  readonly chainId: string;
  readonly position: number;
}

const ENTRY_COLUMNS = `
  entry.id, entry.chain_id AS "chainId", entry.position::float8 AS position, entry.at,
  entry.actor_type AS "actorType", entry.actor_id AS "actorId", entry.action, entry.target_type AS "targetType",
  entry.target_id AS "targetId", entry.org_id AS "orgId", entry.user_id AS "userId", entry.ip,
  entry.user_agent AS "userAgent", entry.details, entry.body, entry.prev_hash AS "prevHash", entry.hash`;

/** Recomputes hash chains from their first entry to their head, beside a program that goes on appending. */
@Injectable()
export class AuditVerifier {
  constructor(private readonly database: Database) {}

  /**
   * @param chainIds null for every chain of the deployment
   * @param onProgress called after each batch with the entries followed so far
   */
  async verify(
    chainIds: readonly string[] | null,
    onProgress: (entries: number) => void = () => undefined,
  ): Promise<Verification> {
    return await this.database.transaction(async (tx) => {
      // One snapshot: entries and heads are of one instant, whatever is appended meanwhile.
      await rows(tx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const run = new VerificationRun(tx, chainIds);
      let last: Place | null = null;
      do {
        last = await run.next(last);
        onProgress(run.entries);
      } while (last !== null);
      return await run.finish();
    });
  }
}

class VerificationRun {
  entries = 0;
  private chains = 0;
  private readonly broken: BrokenChain[] = [];
  private current: ChainCheck | null = null;

  constructor(
    private readonly tx: Tx,
    private readonly chainIds: readonly string[] | null,
  ) {}

  /** Follows a batch of entries; the place where it ended, null after the last. */
  async next(after: Place | null): Promise<Place | null> {
    const batch = await rows<ChainedEntry>(
      this.tx,
      `SELECT ${ENTRY_COLUMNS} FROM audit_entries entry
       WHERE ($1::text[] IS NULL OR chain_id = ANY ($1)) AND (chain_id, position) > ($2, $3)
       ORDER BY chain_id, position LIMIT $4`,
      [this.chainIds, after?.chainId ?? '', after?.position ?? -1, BATCH],
    );
    const heads = await this.heads([this.current?.chainId, ...batch.map(({ chainId }) => chainId)]);
    for (const entry of batch) {
      if (this.current?.chainId !== entry.chainId) {
        this.close(heads);
        this.current = new ChainCheck(entry.chainId);
      }
      this.current.follow(entry);
      this.entries += 1;
    }
    const last = batch.at(-1);
    if (last !== undefined && batch.length === BATCH) return last;
    this.close(heads);
    return null;
  }

  async finish(): Promise<Verification> {
    const emptied = await rows<{ id: string }>(
      this.tx,
      `SELECT id FROM audit_chains chain
       WHERE ($1::text[] IS NULL OR id = ANY ($1))
         AND NOT EXISTS (SELECT FROM audit_entries entry WHERE entry.chain_id = chain.id)
       ORDER BY id`,
      [this.chainIds],
    );
    for (const { id } of emptied) {
      this.chains += 1;
      this.broken.push({ chainId: id, position: 1, entryId: null, problem: 'truncated' });
    }
    return { chains: this.chains, entries: this.entries, broken: this.broken };
  }

  private async heads(chainIds: readonly (string | undefined)[]): Promise<ReadonlyMap<string, ChainHead>> {
    const wanted = [...new Set(chainIds.filter((id) => id !== undefined))];
    const found = await rows<ChainHead & { id: string }>(
      this.tx,
      `SELECT id, length::float8 AS length, prev_hash AS "prevHash", head_hash AS "headHash"
       FROM audit_chains WHERE id = ANY ($1)`,
      [wanted],
    );
    return new Map(found.map((head) => [head.id, head]));
  }

  private close(heads: ReadonlyMap<string, ChainHead>): void {
    if (this.current === null) return;
    this.chains += 1;
    this.current.finish(heads.get(this.current.chainId) ?? null);
    if (this.current.found !== null) this.broken.push(this.current.found);
    this.current = null;
  }
}
