import { Injectable } from '@nestjs/common';
import { newId } from '../platform/crypto/index.js';
import { Database, rows } from '../platform/database/index.js';
import type { OneStatement, Tx } from '../platform/database/index.js';
import { Clock } from '../platform/lifecycle/index.js';
import { chainOf } from './audit-chain.js';
import type { AuditEvent } from './audit-entry.js';

/** What the first entry of a chain follows: 32 zero bytes. */
const GENESIS = `decode(repeat('00', 32), 'hex')`;

/**
 * Appends to one chain in one statement. Moving the head locks its row, so that of simultaneous appends
 * each sees the other's hash and the chain cannot fork. hash = SHA-256(previous hash ‖ body).
 */
const APPEND = `
  WITH head AS (
    INSERT INTO audit_chains AS chain (id, length, prev_hash, head_hash)
    VALUES ($2, 1, ${GENESIS}, sha256(${GENESIS} || convert_to($14, 'UTF8')))
    ON CONFLICT (id) DO UPDATE SET
      length = chain.length + 1,
      prev_hash = chain.head_hash,
      head_hash = sha256(chain.head_hash || convert_to($14, 'UTF8'))
    RETURNING length, prev_hash, head_hash
  )
  INSERT INTO audit_entries
    (id, chain_id, position, at, actor_type, actor_id, action, target_type, target_id,
     org_id, user_id, ip, user_agent, details, body, prev_hash, hash)
  SELECT $1, $2, head.length, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, head.prev_hash, head.head_hash
  FROM head`;

/** The append-only record of every security-relevant act. */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Writes the entry in the transaction of the change that it records. */
  async append(tx: Tx, event: AuditEvent): Promise<void> {
    await this.write(tx, event);
  }

  /** Writes the entry of a refused attempt, which changes nothing else and so stands on its own. */
  async appendAlone(event: AuditEvent): Promise<void> {
    await this.write(this.database.oneStatement, event);
  }

  private async write(handle: Tx | OneStatement, event: AuditEvent): Promise<void> {
    const id = newId();
    const at = this.clock.now();
    const details = event.details ?? {};
    const body = JSON.stringify({
      id,
      at: at.toISOString(),
      actor: event.actor,
      action: event.action,
      target: event.target,
      org_id: event.orgId,
      user_id: event.userId,
      ip: event.origin?.ip ?? null,
      user_agent: event.origin?.userAgent ?? null,
      details,
    });
    await rows(handle, APPEND, [
      id,
      chainOf(event),
      at,
      event.actor.type,
      event.actor.id,
      event.action,
      event.target?.type ?? null,
      event.target?.id ?? null,
      event.orgId,
      event.userId,
      event.origin?.ip ?? null,
      event.origin?.userAgent ?? null,
      JSON.stringify(details),
      body,
    ]);
  }
}
