import { createHash } from 'node:crypto';
import { rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { NewEntry } from '../audit-entry.js';
import type { ChainMac } from './chain-mac.js';

/** The hash before the first entry of a chain. */
const BEGINNING = { length: 0, hash: Buffer.alloc(32), mac: null } as const;

interface Head {
  readonly length: number;
  readonly hash: Buffer;
  readonly mac: Buffer | null;
}

/** An entry at its position, and the head of the chain after it. */
interface LinkedEntry {
  readonly entry: NewEntry;
  readonly position: number;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
  readonly mac: Buffer | null;
  readonly macKey: Buffer;
}

const LOCK_HEADS = `
  SELECT id, length::float8 AS length, head_hash AS hash, mac
  FROM audit_chains WHERE id = ANY ($1) ORDER BY id FOR UPDATE`;

const NEW_HEADS = `unnest($1::text[], $2::bigint[], $3::bytea[], $4::bytea[], $5::bytea[])
    AS head (id, length, prev_hash, head_hash, mac)`;

const INSERT_HEADS = `
  INSERT INTO audit_chains (id, length, prev_hash, head_hash, mac)
  SELECT id, length, prev_hash, head_hash, mac FROM ${NEW_HEADS} ORDER BY id
  ON CONFLICT (id) DO NOTHING RETURNING id`;

const MOVE_HEADS = `
  UPDATE audit_chains chain
  SET length = head.length, prev_hash = head.prev_hash, head_hash = head.head_hash, mac = head.mac
  FROM ${NEW_HEADS} WHERE chain.id = head.id`;

const INSERT_ENTRIES = `
  INSERT INTO audit_entries
    (id, chain_id, position, at, actor_type, actor_id, action, target_type, target_id,
     org_id, user_id, ip, user_agent, details, body, prev_hash, hash, mac_key)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::uuid[], $11::uuid[], $12::text[], $13::text[], $14::jsonb[], $15::text[],
    $16::bytea[], $17::bytea[], $18::bytea[])`;

/**
 * Appends one entry each to many chains in four statements. It links the entries here, as the statement of a single
 * append does in the database. It locks the existing heads, so that no chain can fork.
 */
export class BatchAppend {
  constructor(private readonly macs: ChainMac) {}

  async append(tx: Tx, entries: readonly NewEntry[]): Promise<void> {
    const waiting = new Map(entries.map((entry) => [entry.chainId, entry]));
    if (waiting.size < entries.length) throw new Error('a batch appends one entry to a chain');
    const behind = await this.behindHeads(tx, waiting);
    for (const { entry } of behind) waiting.delete(entry.chainId);
    const first = [...waiting.values()].map((entry) => this.link(entry, BEGINNING));
    const begun = new Set((await this.heads<{ id: string }>(tx, INSERT_HEADS, first)).map(({ id }) => id));
    for (const id of begun) waiting.delete(id);
    // Another transaction began these chains and committed. Otherwise the statement would still wait for it.
    behind.push(...(await this.behindHeads(tx, waiting)));
    await this.heads(tx, MOVE_HEADS, behind);
    await this.insert(tx, [...behind, ...first.filter(({ entry }) => begun.has(entry.chainId))]);
  }

  private async behindHeads(tx: Tx, entries: ReadonlyMap<string, NewEntry>): Promise<LinkedEntry[]> {
    if (entries.size === 0) return [];
    const heads = await rows<Head & { readonly id: string }>(tx, LOCK_HEADS, [[...entries.keys()]]);
    return heads.map((head) => this.link(entries.get(head.id) as NewEntry, head));
  }

  private link(entry: NewEntry, head: Head): LinkedEntry {
    const { chainId, body } = entry;
    const position = head.length + 1;
    const hash = createHash('sha256').update(head.hash).update(body, 'utf8').digest();
    const macKey = this.macs.currentKeyId;
    const mac = this.macs.next(head.mac ?? Buffer.alloc(0), macKey, { chainId, position, body, hash });
    return { entry, position, prevHash: head.hash, hash, mac, macKey };
  }

  private async heads<Row>(tx: Tx, sql: string, linked: readonly LinkedEntry[]): Promise<Row[]> {
    if (linked.length === 0) return [];
    return await rows<Row>(tx, sql, [
      linked.map(({ entry }) => entry.chainId),
      linked.map(({ position }) => position),
      linked.map(({ prevHash }) => prevHash),
      linked.map(({ hash }) => hash),
      linked.map(({ mac }) => mac),
    ]);
  }

  private async insert(tx: Tx, linked: readonly LinkedEntry[]): Promise<void> {
    const events = linked.map(({ entry }) => entry.event);
    await rows(tx, INSERT_ENTRIES, [
      linked.map(({ entry }) => entry.id),
      linked.map(({ entry }) => entry.chainId),
      linked.map(({ position }) => position),
      linked.map(({ entry }) => entry.at),
      events.map(({ actor }) => actor.type),
      events.map(({ actor }) => actor.id),
      events.map(({ action }) => action),
      events.map(({ target }) => target?.type ?? null),
      events.map(({ target }) => target?.id ?? null),
      events.map(({ tenantId }) => tenantId),
      events.map(({ userId }) => userId),
      events.map(({ origin }) => origin?.ip ?? null),
      events.map(({ origin }) => origin?.userAgent ?? null),
      linked.map(({ entry }) => entry.details),
      linked.map(({ entry }) => entry.body),
      linked.map(({ prevHash }) => prevHash),
      linked.map(({ hash }) => hash),
      linked.map(({ macKey }) => macKey),
    ]);
  }
}
