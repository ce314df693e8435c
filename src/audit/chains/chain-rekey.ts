import type { KeyRing } from '../../platform/crypto/index.js';
import type { Database } from '../../platform/database/index.js';
import { rows } from '../../platform/database/index.js';
import { ChainMac } from './chain-mac.js';
import { ChainRepository } from './chain.repository.js';
import { ChainWalk } from './chain-walk.js';

const BATCH = 2_000;
/** After so many tries, a checkpoint that keeps changing is left for the next call. */
const TRIES = 3;

export interface RekeyedChains {
  readonly moved: number;
  /** Chains that do not verify and are left as they are. */
  readonly refused: readonly string[];
}

/**
 * Moves chains to the current data key: it writes a checkpoint at the end of each. The checkpoint's hash covers
 * everything before it, so that the MACs there are no longer needed.
 */
export class ChainRekey {
  private readonly chains = new ChainRepository();
  private readonly macs: ChainMac;

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
  ) {
    this.macs = new ChainMac(keyRing);
  }

  /** Refuses a chain that does not verify under the keys of the ring. */
  async run(onProgress: (moved: number) => void): Promise<RekeyedChains> {
    const refused: string[] = [];
    let moved = 0;
    for (const chainId of await this.chains.underOtherKeys(this.database.reader, this.macs.currentKeyId)) {
      if (await this.move(chainId)) moved += 1;
      else refused.push(chainId);
      onProgress(moved);
    }
    return { moved, refused };
  }

  private async move(chainId: string): Promise<boolean> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const walk = await this.walk(chainId);
      const { found, state } = walk.check;
      if (found !== null || state.mac === null) return false;
      const { position, hash, mac } = state;
      const { origin } = walk.checkpoint;
      if (await walk.put(this.database.autoCommit, { origin, waypoint: { position, hash, mac } }))
        return true;
    }
    return false;
  }

  /** Reads the whole chain as of one instant, and compares it with its head. */
  private async walk(chainId: string): Promise<ChainWalk> {
    return await this.database.transaction(async (tx) => {
      await rows(tx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const walk = await ChainWalk.begin(tx, this.chains, this.keyRing, chainId);
      while (await walk.follow(tx, BATCH));
      walk.check.finish((await this.chains.heads(tx, [chainId])).get(chainId) ?? null);
      return walk;
    });
  }
}
