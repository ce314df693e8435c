import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { KeyRing } from '../platform/crypto/index.js';
import { Database, rows, SerialByKey } from '../platform/database/index.js';
import type { AutoCommit, Tx } from '../platform/database/index.js';
import { Clock } from '../platform/lifecycle/index.js';
import { captureAll, captureGiven, happenedParameter } from '../tenancy/index.js';
import type { AuditEvent } from './audit-entry.js';
import { chainOf, entryOf } from './audit-entry.js';
import { eventsOf } from './event-of-entry.js';
import { BatchAppend } from './chains/batch-append.js';
import { ChainMac } from './chains/chain-mac.js';
import { RefusalCounter } from './refusals/refusal-counter.js';

/** The hash before the first entry of a chain: 32 zero bytes. */
const GENESIS = `decode(repeat('00', 32), 'hex')`;

/** The hash of an entry after another. */
function hashAfter(previous: string): string {
  return `pg_catalog.sha256(${previous} || convert_to($14, 'UTF8'))`;
}

/** HMAC (RFC 2104) with a key that is already padded, since PostgreSQL itself has only SHA-256. See `ChainMac`. */
function macAfter(previous: string, position: string, hash: string): string {
  return `pg_catalog.sha256($17 || pg_catalog.sha256($16 || ${previous} || int8send(${position}) || ${hash}))`;
}

/**
 * Appends to one chain in one statement. Updating the head locks its row, so each of several simultaneous appends sees
 * the hash of the one before, and the chain cannot fork. hash = SHA-256(previous hash ‖ body).
 */
function appendStatement(captured: string): string {
  return `
  WITH head AS (
    INSERT INTO audit_chains AS chain (id, length, prev_hash, head_hash, mac)
    VALUES ($2, 1, ${GENESIS}, ${hashAfter(GENESIS)}, ${macAfter(`''::bytea`, '1::bigint', hashAfter(GENESIS))})
    ON CONFLICT (id) DO UPDATE SET
      length = chain.length + 1,
      prev_hash = chain.head_hash,
      head_hash = ${hashAfter('chain.head_hash')},
      mac = ${macAfter(`coalesce(chain.mac, ''::bytea)`, 'chain.length + 1', hashAfter('chain.head_hash'))}
    RETURNING length, prev_hash, head_hash
  )${captured}
  INSERT INTO audit_entries
    (id, chain_id, position, at, actor_type, actor_id, action, target_type, target_id,
     org_id, user_id, ip, user_agent, details, body, prev_hash, hash, mac_key)
  SELECT $1, $2, head.length, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, head.prev_hash, head.head_hash, $15
  FROM head`;
}

const APPEND = appendStatement('');
/** In the same statement: events for the jobs that listen to what the entry records. */
const APPEND_AND_CAPTURE = appendStatement(`, ${captureGiven('$18')}`);

/** How many refusals of one kind and caller get an entry each within a minute. Further ones are counted. */
const ENTRIES_A_MINUTE = 20;
/** How many refusals may wait for one chain. Each takes about a millisecond. */
const MAX_WAITING = 1_000;

/** The append-only record of every security-relevant action. */
@Injectable()
export class AuditTrail {
  private readonly macs: ChainMac;
  private readonly batches: BatchAppend;
  private readonly repeated = new RateLimiterMemory({ points: ENTRIES_A_MINUTE, duration: 60 });
  /** A chain has one head. Simultaneous appends would wait for it, each with a connection. */
  private readonly serial = new SerialByKey(MAX_WAITING);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    keyRing: KeyRing,
    private readonly refusals: RefusalCounter,
  ) {
    this.macs = new ChainMac(keyRing);
    this.batches = new BatchAppend(this.macs);
  }

  /** Writes the entry in the transaction of the change that it records. */
  async append(tx: Tx, event: AuditEvent): Promise<void> {
    await this.write(tx, event);
  }

  /**
   * Writes the entry of a refused attempt. It changes nothing else, so it is written alone, in one statement. Refusals
   * that anyone can repeat without limit are counted instead: anonymous attempts on no account, and those of one caller
   * beyond a certain number.
   * @throws QueueFullError if too many wait for the same chain
   */
  async appendAlone(event: AuditEvent): Promise<void> {
    const isAnyones = event.actor.type === 'anonymous' && event.userId === null;
    if (isAnyones || (await this.isRepeated(event))) {
      await this.refusals.count(event);
      return;
    }
    await this.serial.run(chainOf(event), () => this.write(this.database.autoCommit, event));
  }

  private async isRepeated(event: AuditEvent): Promise<boolean> {
    const { actor, action } = event;
    try {
      await this.repeated.consume(JSON.stringify([chainOf(event), actor.type, actor.id, action]));
      return false;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return true;
    }
  }

  /**
   * Writes the entries of many chains, one each, in a few statements. This locks the heads in the order of the chains'
   * ids. Take all other locks before.
   */
  async appendAll(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
    await this.batches.append(
      tx,
      events.map((event) => entryOf(event, this.clock.now())),
    );
    await captureAll(tx, events.flatMap(eventsOf));
  }

  private async write(handle: Tx | AutoCommit, event: AuditEvent): Promise<void> {
    const entry = entryOf(event, this.clock.now());
    const { keyId, innerPad, outerPad } = this.macs.keyFor(entry.chainId, entry.body);
    const events = eventsOf(event);
    await rows(handle, events.length === 0 ? APPEND : APPEND_AND_CAPTURE, [
      entry.id,
      entry.chainId,
      entry.at,
      event.actor.type,
      event.actor.id,
      event.action,
      event.target?.type ?? null,
      event.target?.id ?? null,
      event.tenantId,
      event.userId,
      event.origin?.ip ?? null,
      event.origin?.userAgent ?? null,
      entry.details,
      entry.body,
      keyId,
      innerPad,
      outerPad,
      ...(events.length === 0 ? [] : [happenedParameter(events)]),
    ]);
  }
}
