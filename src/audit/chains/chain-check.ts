import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { chainOf } from '../audit-entry.js';
import type { AuditEntry } from '../audit-entry.repository.js';
import { CHAIN_START } from './checkpoint.js';
import type { Checkpoint } from './checkpoint.js';
import type { ChainMac } from './chain-mac.js';

/** An entry with its position in its chain, and the text that its hash covers. */
export interface ChainedEntry extends AuditEntry {
  readonly chainId: string;
  readonly position: number;
  readonly userId: string | null;
  readonly body: string;
  /** The data key of the MAC at this position; null if somebody removed it. */
  readonly macKey: Buffer | null;
}

/** The end of a chain as `audit_chains` has it. */
export interface ChainHead {
  readonly length: number;
  readonly prevHash: Buffer;
  readonly headHash: Buffer;
  readonly mac: Buffer | null;
}

export type ChainProblem =
  | 'missing_entries'
  | 'forked'
  | 'broken_link'
  | 'altered_body'
  | 'altered_columns'
  | 'missing_head'
  | 'truncated'
  | 'altered_head'
  | 'altered_checkpoint'
  | 'rewritten'
  | 'missing_chain'
  | 'wrong_mac'
  | 'unknown_key'
  | 'missing_mac';

/** The first position at which a chain is broken. */
export interface BrokenChain {
  readonly chainId: string;
  readonly position: number;
  /** Null if the entry itself is missing. */
  readonly entryId: string | null;
  readonly problem: ChainProblem;
}

function linkHash(prevHash: Buffer, body: string): Buffer {
  return createHash('sha256').update(prevHash).update(body, 'utf8').digest();
}

/** The columns of the entry, in the form of its body. */
function columnsOf(entry: ChainedEntry): unknown {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { type: entry.actorType, id: entry.actorId },
    action: entry.action,
    target: entry.targetType === null ? null : { type: entry.targetType, id: entry.targetId },
    org_id: entry.tenantId,
    user_id: entry.userId,
    ip: entry.ip,
    user_agent: entry.userAgent,
    details: entry.details,
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** How far a chain was verified. */
export interface ChainState {
  readonly position: number;
  readonly hash: Buffer;
  readonly previousHash: Buffer;
  /** Null before the waypoint of the checkpoint. */
  readonly mac: Buffer | null;
}

/**
 * Verifies one chain from its beginning to its head, entry by entry in the order of their positions. It holds only the
 * last link, so a chain may have any length. It cannot detect that a whole chain was restored to an earlier state, with
 * its entries and its head. Only a head that was exported shows this.
 */
export class ChainCheck {
  private position: number;
  private hash: Buffer;
  private previousHash: Buffer;
  private mac: Buffer | null;
  private broken: BrokenChain | null = null;
  private readonly checkpoint: Checkpoint;

  /** @param checkpoint `altered` if the chain has one that does not open */
  constructor(
    readonly chainId: string,
    private readonly macs: ChainMac,
    checkpoint: Checkpoint | 'altered' | null,
  ) {
    this.checkpoint = checkpoint === null || checkpoint === 'altered' ? CHAIN_START : checkpoint;
    const { origin, waypoint } = this.checkpoint;
    this.position = origin.position;
    this.hash = origin.hash;
    this.previousHash = origin.previousHash;
    this.mac = waypoint.position === origin.position ? waypoint.mac : null;
    if (checkpoint === 'altered') this.fail('altered_checkpoint', 0, null);
  }

  /** The first problem found so far. */
  get found(): BrokenChain | null {
    return this.broken;
  }

  get state(): ChainState {
    const { position, hash, previousHash, mac } = this;
    return { position, hash, previousHash, mac };
  }

  follow(entry: ChainedEntry): void {
    if (this.broken === null) {
      const problem = this.problemOf(entry) ?? this.macProblemOf(entry);
      if (problem !== null) this.fail(problem, entry.position, entry.id);
    }
    this.position = entry.position;
    this.previousHash = this.hash;
    this.hash = entry.hash;
  }

  /** Compares the last verified entry with the head, which is null if there is none. */
  finish(head: ChainHead | null): void {
    if (this.broken !== null) return;
    if (head === null) this.fail('missing_head', this.position, null);
    else if (head.length > this.position) this.fail('truncated', this.position + 1, null);
    else if (
      head.length < this.position ||
      !head.headHash.equals(this.hash) ||
      !head.prevHash.equals(this.previousHash)
    )
      this.fail('altered_head', this.position, null);
    else if (this.mac === null || !this.mac.equals(head.mac ?? Buffer.alloc(0)))
      this.fail('wrong_mac', this.position, null);
  }

  private problemOf(entry: ChainedEntry): ChainProblem | null {
    if (entry.position <= this.position) return 'forked';
    if (entry.position > this.position + 1) return 'missing_entries';
    if (!entry.prevHash.equals(this.hash)) return 'broken_link';
    if (!entry.hash.equals(linkHash(entry.prevHash, entry.body))) return 'altered_body';
    const isSame =
      entry.chainId === chainOf(entry) && isDeepStrictEqual(parsed(entry.body), columnsOf(entry));
    return isSame ? null : 'altered_columns';
  }

  /** Also computes the next MAC. */
  private macProblemOf(entry: ChainedEntry): ChainProblem | null {
    const { waypoint } = this.checkpoint;
    if (entry.position < waypoint.position) return null;
    if (entry.position === waypoint.position) {
      this.mac = waypoint.mac;
      return entry.hash.equals(waypoint.hash) ? null : 'rewritten';
    }
    if (entry.macKey === null) return 'missing_mac';
    this.mac = this.macs.next(this.mac ?? Buffer.alloc(0), entry.macKey, entry);
    return this.mac === null ? 'unknown_key' : null;
  }

  private fail(problem: ChainProblem, position: number, entryId: string | null): void {
    const brokenAt =
      problem === 'missing_entries' ? { position: this.position + 1, entryId: null } : { position, entryId };
    this.broken = { chainId: this.chainId, problem, ...brokenAt };
  }
}
