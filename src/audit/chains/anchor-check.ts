import type { KeyRing } from '../../platform/crypto/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { BrokenChain, ChainProblem } from './chain-check.js';
import type { ChainRepository } from './chain.repository.js';
import { openCheckpoint } from './checkpoint.js';

/** An exported head: the chain had this many entries, and this was the hash of the last one. */
export interface AnchoredHead {
  readonly chainId: string;
  readonly length: number;
  readonly headHash: Buffer;
}

/** Checks whether chains still contain the heads that were exported. */
export class AnchorCheck {
  constructor(
    private readonly chains: ChainRepository,
    private readonly keyRing: KeyRing,
  ) {}

  async compare(handle: Tx | Reader, anchored: readonly AnchoredHead[]): Promise<BrokenChain[]> {
    const chainIds = anchored.map(({ chainId }) => chainId);
    const heads = await this.chains.heads(handle, chainIds);
    const positions = anchored.map(({ chainId, length }) => ({ chainId, position: length }));
    const found = await this.chains.hashesAt(handle, positions);
    const hashes = new Map(found.map(({ chainId, hash }) => [chainId, hash]));
    const pruned = await this.prunedHashes(
      handle,
      anchored.filter(({ chainId }) => !hashes.has(chainId)),
    );
    return anchored.flatMap(({ chainId, length, headHash }) => {
      const broken = (problem: ChainProblem, position: number): BrokenChain[] => [
        { chainId, position, entryId: null, problem },
      ];
      const head = heads.get(chainId);
      if (head === undefined) return broken('missing_chain', length);
      if (head.length < length) return broken('truncated', head.length + 1);
      const hash = hashes.get(chainId) ?? pruned.get(chainId);
      if (hash === undefined) return broken('missing_entries', length);
      return hash === 'gone' || hash.equals(headHash) ? [] : broken('rewritten', length);
    });
  }

  /** The hash of an anchored entry that retention has removed; `gone` if the checkpoint is after it. */
  private async prunedHashes(
    handle: Tx | Reader,
    anchored: readonly AnchoredHead[],
  ): Promise<ReadonlyMap<string, Buffer | 'gone'>> {
    const sealed = await this.chains.checkpoints(
      handle,
      anchored.map(({ chainId }) => chainId),
    );
    const hashes = new Map<string, Buffer | 'gone'>();
    for (const { chainId, length } of anchored) {
      const stored = sealed.get(chainId);
      const origin =
        stored === undefined ? undefined : openCheckpoint(this.keyRing, chainId, stored.sealed)?.origin;
      if (origin !== undefined && origin.position >= length)
        hashes.set(chainId, origin.position === length ? origin.hash : 'gone');
    }
    return hashes;
  }
}
