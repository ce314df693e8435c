import type { KeyRing } from '../../platform/crypto/index.js';
import type { Database } from '../../platform/database/index.js';
import { rows } from '../../platform/database/index.js';
import { ChainMac } from './chain-mac.js';
import { ChainRepository } from './chain.repository.js';
import { ChainWalk } from './chain-walk.js';

const BATCH = 2_000;
/** A checkpoint that keeps changing under the walk is left for the next call. */
const TRIES = 3;

export interface ChainsSealed {
  readonly sealed: number;
  /** Chains that do not verify, and so are left as they are. */
  readonly refused: readonly string[];
}

type OnProgress = (chains: number) => void | Promise<void>;

/**
 * Puts checkpoints at the ends of chains, so that what lies before them needs no MAC any more: the hash of the
 * checkpoint covers it.
 */
export class ChainSealing {
  private readonly chains = new ChainRepository();
  private readonly macs: ChainMac;

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
  ) {
    this.macs = new ChainMac(keyRing);
  }

  /** Frees the chains of former data keys. A chain that does not verify under the keys of the ring is refused. */
  async moveToCurrentKey(onProgress: OnProgress): Promise<ChainsSealed> {
    const chainIds = await this.chains.underOtherKeys(this.database.reader, this.macs.currentKeyId);
    return await this.seal(chainIds, false, onProgress);
  }

  /** Accepts the entries without a MAC, which releases before MACs wrote, as they are now. */
  async sealUnsealed(onProgress: OnProgress): Promise<ChainsSealed> {
    return await this.seal(await this.chains.unsealed(this.database.reader), true, onProgress);
  }

  private async seal(
    chainIds: readonly string[],
    acceptsUnsealed: boolean,
    onProgress: OnProgress,
  ): Promise<ChainsSealed> {
    const refused: string[] = [];
    let sealed = 0;
    for (const chainId of chainIds) {
      if (await this.sealOne(chainId, acceptsUnsealed)) sealed += 1;
      else refused.push(chainId);
      await onProgress(sealed);
    }
    return { sealed, refused };
  }

  private async sealOne(chainId: string, acceptsUnsealed: boolean): Promise<boolean> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const walk = await this.walk(chainId);
      const { found, state } = walk.check;
      const isSound = found === null || (found.problem === 'unsealed' && acceptsUnsealed);
      if (!isSound || state.mac === null) return false;
      const { position, hash, mac } = state;
      const { origin } = walk.checkpoint;
      if (await walk.put(this.database.autoCommit, { origin, waypoint: { position, hash, mac } }))
        return true;
    }
    return false;
  }

  /** The whole chain as it is at one instant, compared with its head. */
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
