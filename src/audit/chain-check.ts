import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { chainOf } from './audit-chain.js';
import type { AuditEntry } from './audit-entry.repository.js';

/** An entry with its place in its chain, and the text that its hash is over. */
export interface ChainedEntry extends AuditEntry {
  readonly chainId: string;
  readonly position: number;
  readonly userId: string | null;
  readonly body: string;
}

/** The end of a chain as `audit_chains` has it. */
export interface ChainHead {
  readonly length: number;
  readonly prevHash: Buffer;
  readonly headHash: Buffer;
}

export type ChainProblem =
  | 'missing_entries'
  | 'forked'
  | 'broken_link'
  | 'altered_body'
  | 'altered_columns'
  | 'missing_head'
  | 'truncated'
  | 'altered_head';

/** The first place where a chain does not hold. */
export interface BrokenChain {
  readonly chainId: string;
  readonly position: number;
  /** Null where the entry itself is what is missing. */
  readonly entryId: string | null;
  readonly problem: ChainProblem;
}

const GENESIS = Buffer.alloc(32);

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

/**
 * Follows one chain from its first entry to its head, entry by entry in the order of their positions. Holds
 * only the last link, so a chain may have any length. A chain that somebody rewrote from some entry to the
 * head, hashes and head included, holds together: only a head that was noted elsewhere tells.
 */
export class ChainCheck {
  private position = 0;
  private hash: Buffer = GENESIS;
  private previousHash: Buffer = GENESIS;
  private broken: BrokenChain | null = null;

  constructor(readonly chainId: string) {}

  /** The first problem found so far. */
  get found(): BrokenChain | null {
    return this.broken;
  }

  get length(): number {
    return this.position;
  }

  follow(entry: ChainedEntry): void {
    if (this.broken === null) {
      const problem = this.problemOf(entry);
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

  private fail(problem: ChainProblem, position: number, entryId: string | null): void {
    const place =
      problem === 'missing_entries' ? { position: this.position + 1, entryId: null } : { position, entryId };
    this.broken = { chainId: this.chainId, problem, ...place };
  }
}
