import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { AuditEvent } from '../audit-entry.js';

/** The number of refusals of one kind, by one source. */
export interface CountedRefusals {
  readonly chainId: string;
  readonly action: string;
  readonly source: string;
  readonly count: number;
  /** The first one. */
  readonly event: AuditEvent;
}

/** The refusals of one minute that belong to one chain. */
export interface ChainMinute {
  readonly minute: Date;
  readonly chainId: string;
}

/** The refusals of a minute, as the trail records them. */
export interface MinuteOfRefusals {
  readonly event: AuditEvent;
  readonly count: number;
  /** Their source; null for the others together. */
  readonly source: string | null;
  /** The number of sources. */
  readonly sources: number;
}

/** Counts the refusals of the current minute. */
export class RefusalRepository {
  /** Adds to the counts of this minute, by the database's clock. All instances add to the same rows. */
  async add(handle: AutoCommit, refusals: readonly CountedRefusals[]): Promise<void> {
    await rows(
      handle,
      // In a fixed order, so that no two instances wait for each other.
      `INSERT INTO audit_refusals AS refusal (minute, chain_id, action, source, count, event)
       SELECT date_trunc('minute', now()), item."chainId", item.action, item.source, item.count, item.event
       FROM jsonb_to_recordset($1::jsonb)
         AS item ("chainId" text, action text, source text, count bigint, event jsonb)
       ORDER BY item."chainId", item.action, item.source
       ON CONFLICT (minute, chain_id, action, source) DO UPDATE SET count = refusal.count + excluded.count`,
      [JSON.stringify(refusals)],
    );
  }

  /**
   * The first chain of the oldest minute that ended a few seconds ago, so that nobody adds to it any more; null if
   * there is none.
   */
  async ended(handle: Reader): Promise<ChainMinute | null> {
    return await firstRow<ChainMinute>(
      handle,
      `SELECT minute, chain_id AS "chainId" FROM audit_refusals
       WHERE minute <= now() - interval '65 seconds' ORDER BY minute, chain_id LIMIT 1`,
    );
  }

  /** Takes the counts of a minute and chain: of each kind the sources with the most refusals, and the others as one. */
  async take(tx: Tx, { minute, chainId }: ChainMinute, apart: number): Promise<MinuteOfRefusals[]> {
    return await rows<MinuteOfRefusals>(
      tx,
      `WITH taken AS (DELETE FROM audit_refusals WHERE minute = $1 AND chain_id = $2 RETURNING *),
       ranked AS (
         SELECT *, row_number() OVER (PARTITION BY action ORDER BY count DESC, source) AS rank FROM taken
       )
       SELECT (array_agg(event ORDER BY rank))[1] AS event, sum(count)::float8 AS count,
              CASE WHEN min(rank) <= $3 THEN min(source) END AS source, count(*)::int AS sources
       FROM ranked GROUP BY action, least(rank, $3 + 1)
       ORDER BY action, min(rank)`,
      [minute, chainId, apart],
    );
  }
}
