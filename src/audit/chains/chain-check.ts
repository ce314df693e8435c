import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { chainOf } from '../audit-entry.js';
import type { AuditEntry } from '../audit-entry.repository.js';
import { CHAIN_START } from './checkpoint.js';
import type { Checkpoint } from './checkpoint.js';
import type { ChainMac } from './chain-mac.js';

/** An entry with its place in its chain, and the text that its hash is over. */
export interface ChainedEntry extends AuditEntry {
  readonly chainId: string;
  readonly position: number;
  readonly userId: string | null;
  readonly body: string;
  /** The data key that the MAC of this place is under; null where somebody has removed it. */
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

/** The first place where a chain does not hold. */
export interface BrokenChain {
  readonly chainId: string;
  readonly position: number;
  /** Null where the entry itself is what is missing. */
  readonly entryId: string | null;
  readonly problem: ChainProblem;
}

function linkHash(prevHash: Buffer, body: string): Buffer {
  return createHash('sha256').update(prevHash).update(body, 'utf8').digest();
}

/** What the entry's columns say, in the form of its body. */
function columnsOf(entry: ChainedEntry): unknown {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { type: entry.actorType, id: entry.actorId },
    action: entry.action,
    target: entry.targetType === null ? null : { type: entry.targetType, id: entry.targetId },
    org_id: entry.orgId,
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

/** How far a chain was followed. */
export interface ChainState {
  readonly position: number;
  readonly hash: Buffer;
  readonly previousHash: Buffer;
  /** Null before the waypoint of the checkpoint is reached. */
  readonly mac: Buffer | null;
}

/**
 * Follows one chain from its beginning to its head, entry by entry in the order of their positions. Holds only the
 * last link, so a chain may have any length. What it cannot find is a chain put back as it once was, entries, head and
 * all: only a head that was noted elsewhere tells.
 */
export class ChainCheck {
  private position: number;
  private hash: Buffer;
  private previousHash: Buffer;
  private mac: Buffer | null;
  private broken: BrokenChain | null = null;
  private readonly checkpoint: Checkpoint;

  /** @param checkpoint `altered` where there is one that does not open */
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

  /** Compares what was followed with the head; null when there is none. */
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

  /** Takes the MAC along. */
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
    const place =
      problem === 'missing_entries' ? { position: this.position + 1, entryId: null } : { position, entryId };
    this.broken = { chainId: this.chainId, problem, ...place };
  }
}
