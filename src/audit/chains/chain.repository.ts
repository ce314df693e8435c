import { rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { ChainedEntry, ChainHead } from './chain-check.js';

export interface ChainPosition {
  readonly chainId: string;
  readonly position: number;
}

export interface SealedCheckpoint {
  readonly chainId: string;
  readonly sealed: Buffer;
}

/** A checkpoint with the values that the database needs. */
export interface StoredCheckpoint extends SealedCheckpoint {
  readonly prunedTo: number;
  readonly sealedTo: number;
}

export type NamedHead = ChainHead & { readonly id: string };

const ENTRY_COLUMNS = `
  entry.id, entry.chain_id AS "chainId", entry.position::float8 AS position, entry.at,
  entry.actor_type AS "actorType", entry.actor_id AS "actorId", entry.action, entry.target_type AS "targetType",
  entry.target_id AS "targetId", entry.org_id AS "tenantId", entry.user_id AS "userId", entry.ip,
  entry.user_agent AS "userAgent", entry.details, entry.body, entry.prev_hash AS "prevHash", entry.hash,
  entry.mac_key AS "macKey"`;

const HEAD_COLUMNS = `id, length::float8 AS length, prev_hash AS "prevHash", head_hash AS "headHash", mac`;

/** The chains as linked entries: entries by position, heads and checkpoints. */
export class ChainRepository {
  /** Ordered by chain and position, after a position; of all chains if `chainIds` is null. */
  async entriesAfter(
    handle: Tx | Reader,
    chainIds: readonly string[] | null,
    after: ChainPosition | null,
    limit: number,
  ): Promise<ChainedEntry[]> {
    return await rows<ChainedEntry>(
      handle,
      `SELECT ${ENTRY_COLUMNS} FROM audit_entries entry
       WHERE ($1::text[] IS NULL OR chain_id = ANY ($1)) AND (chain_id, position) > ($2, $3)
       ORDER BY chain_id, position LIMIT $4`,
      [chainIds, after?.chainId ?? '', after?.position ?? -1, limit],
    );
  }

  async entriesOf(handle: Tx | Reader, after: ChainPosition, limit: number): Promise<ChainedEntry[]> {
    return await rows<ChainedEntry>(
      handle,
      `SELECT ${ENTRY_COLUMNS} FROM audit_entries entry
       WHERE chain_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      [after.chainId, after.position, limit],
    );
  }

  /** The hashes of the entries at these positions, as far as there are entries. */
  async hashesAt(
    handle: Tx | Reader,
    positions: readonly ChainPosition[],
  ): Promise<(ChainPosition & { hash: Buffer })[]> {
    return await rows(
      handle,
      `SELECT entry.chain_id AS "chainId", entry.position::float8 AS position, entry.hash
       FROM unnest($1::text[], $2::bigint[]) AS wanted (chain_id, position)
       JOIN audit_entries entry USING (chain_id, position)`,
      [positions.map(({ chainId }) => chainId), positions.map(({ position }) => position)],
    );
  }

  async heads(handle: Tx | Reader, chainIds: readonly string[]): Promise<ReadonlyMap<string, NamedHead>> {
    const found = await rows<NamedHead>(
      handle,
      `SELECT ${HEAD_COLUMNS} FROM audit_chains WHERE id = ANY ($1)`,
      [chainIds],
    );
    return new Map(found.map((head) => [head.id, head]));
  }

  async headsAfter(handle: Tx | Reader, after: string, limit: number): Promise<NamedHead[]> {
    return await rows<NamedHead>(
      handle,
      `SELECT ${HEAD_COLUMNS} FROM audit_chains WHERE id > $1 ORDER BY id LIMIT $2`,
      [after, limit],
    );
  }

  /** Chains with a head or a checkpoint, but without entries. */
  async withoutEntries(handle: Tx | Reader, chainIds: readonly string[] | null): Promise<string[]> {
    const found = await rows<{ id: string }>(
      handle,
      `SELECT id FROM (SELECT id FROM audit_chains UNION SELECT chain_id FROM audit_checkpoints) AS chain
       WHERE ($1::text[] IS NULL OR id = ANY ($1))
         AND NOT EXISTS (SELECT FROM audit_entries entry WHERE entry.chain_id = chain.id)
       ORDER BY id`,
      [chainIds],
    );
    return found.map(({ id }) => id);
  }

  async checkpoints(
    handle: Tx | Reader,
    chainIds: readonly string[],
  ): Promise<ReadonlyMap<string, SealedCheckpoint>> {
    const found = await rows<SealedCheckpoint>(
      handle,
      'SELECT chain_id AS "chainId", sealed_state AS sealed FROM audit_checkpoints WHERE chain_id = ANY ($1)',
      [chainIds],
    );
    return new Map(found.map((checkpoint) => [checkpoint.chainId, checkpoint]));
  }

  /** Replaces the checkpoint that was read; false when it has changed meanwhile. */
  async putCheckpoint(
    handle: Tx | AutoCommit,
    { chainId, prunedTo, sealedTo, sealed }: StoredCheckpoint,
    instead: Buffer | null,
  ): Promise<boolean> {
    const put = await rows(
      handle,
      `INSERT INTO audit_checkpoints AS checkpoint (chain_id, pruned_to, sealed_to, sealed_state)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (chain_id) DO UPDATE SET
         pruned_to = excluded.pruned_to, sealed_to = excluded.sealed_to, sealed_state = excluded.sealed_state
         WHERE checkpoint.sealed_state = $5
       RETURNING 1`,
      [chainId, prunedTo, sealedTo, sealed, instead],
    );
    return put.length === 1;
  }

  /** Deletes entries that a checkpoint replaces. The database refuses to delete any others. */
  async deleteUpTo(tx: Tx, { chainId, position }: ChainPosition): Promise<void> {
    await rows(tx, 'DELETE FROM audit_entries WHERE chain_id = $1 AND position <= $2', [chainId, position]);
  }

  /** Chains that have entries, after their checkpoints, with MACs under another key. */
  async underOtherKeys(handle: Reader, keyId: Buffer): Promise<string[]> {
    const found = await rows<{ id: string }>(
      handle,
      `SELECT DISTINCT entry.chain_id AS id FROM audit_entries entry
       LEFT JOIN audit_checkpoints checkpoint ON checkpoint.chain_id = entry.chain_id
       WHERE entry.mac_key <> $1 AND entry.position > coalesce(checkpoint.sealed_to, 0)
       ORDER BY id`,
      [keyId],
    );
    return found.map(({ id }) => id);
  }

  /** The chains of entries older than the id `before`, and the last of these ids, in batches after the id `after`. */
  async oldChains(
    handle: Reader,
    before: string,
    after: string | null,
    limit: number,
  ): Promise<{ readonly id: string; readonly chainId: string }[]> {
    return await rows(
      handle,
      `SELECT id, chain_id AS "chainId" FROM audit_entries
       WHERE id < $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [before, after, limit],
    );
  }
}
