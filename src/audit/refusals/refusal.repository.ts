import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { AuditEvent } from '../audit-entry.js';

/** So many refusals of one kind, by one source. */
export interface CountedRefusals {
  readonly chainId: string;
  readonly action: string;
  readonly source: string;
  readonly count: number;
  /** The first of them. */
  readonly event: AuditEvent;
}

/** The refusals of one minute that one chain is to record. */
export interface ChainMinute {
  readonly minute: Date;
  readonly chainId: string;
}

/** What is left of a minute for the trail. */
export interface MinuteOfRefusals {
  readonly event: AuditEvent;
  readonly count: number;
  /** Whose they were; null for the rest, in one. */
  readonly source: string | null;
  /** How many sources they came from. */
  readonly sources: number;
}

/** Refusals of the current minute, counted. */
export class RefusalRepository {
  /** Adds to the counts of this minute, on the database's clock: one row each, whatever instance adds. */
  async add(handle: AutoCommit, refusals: readonly CountedRefusals[]): Promise<void> {
    await rows(
      handle,
      // In one order, so that no two instances wait for each other.
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
   * The first chain of the oldest minute that has ended, a few seconds ago so that nobody adds to it any more; null when
   * there is none.
   */
  async ended(handle: Reader): Promise<ChainMinute | null> {
    return await firstRow<ChainMinute>(
      handle,
      `SELECT minute, chain_id AS "chainId" FROM audit_refusals
       WHERE minute <= now() - interval '65 seconds' ORDER BY minute, chain_id LIMIT 1`,
    );
  }

  /** Takes the counts of a minute and chain out; of each kind those with the most refusals, and the others in one. */
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
