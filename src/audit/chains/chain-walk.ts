import type { KeyRing } from '../../platform/crypto/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { ChainCheck } from './chain-check.js';
import type { ChainedEntry } from './chain-check.js';
import { ChainMac } from './chain-mac.js';
import type { ChainRepository } from './chain.repository.js';
import { CHAIN_START, openCheckpoint, sealCheckpoint } from './checkpoint.js';
import type { Checkpoint } from './checkpoint.js';

/** Walks one chain, beginning where its checkpoint says. */
export class ChainWalk {
  private constructor(
    private readonly chains: ChainRepository,
    private readonly keyRing: KeyRing,
    /** The checkpoint as the database stores it; null if there is none. */
    readonly sealed: Buffer | null,
    readonly checkpoint: Checkpoint,
    readonly check: ChainCheck,
  ) {}

  static async begin(
    handle: Tx | Reader,
    chains: ChainRepository,
    keyRing: KeyRing,
    chainId: string,
  ): Promise<ChainWalk> {
    const sealed = (await chains.checkpoints(handle, [chainId])).get(chainId)?.sealed ?? null;
    const opened = sealed === null ? CHAIN_START : openCheckpoint(keyRing, chainId, sealed);
    const check = new ChainCheck(chainId, new ChainMac(keyRing), opened ?? 'altered');
    return new ChainWalk(chains, keyRing, sealed, opened ?? CHAIN_START, check);
  }

  /** Checks up to `limit` entries, as long as they are `wanted`. True if it may continue. */
  async follow(
    handle: Tx | Reader,
    limit: number,
    wanted: (entry: ChainedEntry) => boolean = () => true,
  ): Promise<boolean> {
    const after = { chainId: this.check.chainId, position: this.check.state.position };
    const batch = await this.chains.entriesOf(handle, after, limit);
    for (const entry of batch) {
      if (!wanted(entry)) return false;
      this.check.follow(entry);
      if (this.check.found !== null) return false;
    }
    return batch.length === limit;
  }

  /** Replaces the checkpoint; false if somebody else has done so since `begin`. */
  async put(
    handle: Parameters<ChainRepository['putCheckpoint']>[0],
    checkpoint: Checkpoint,
  ): Promise<boolean> {
    const { chainId } = this.check;
    const stored = {
      chainId,
      prunedTo: checkpoint.origin.position,
      sealedTo: checkpoint.waypoint.position,
      sealed: sealCheckpoint(this.keyRing, chainId, checkpoint),
    };
    return await this.chains.putCheckpoint(handle, stored, this.sealed);
  }
}
