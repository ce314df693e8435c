import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstIdAt, KeyRing } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { Clock, PeriodicService } from '../../platform/lifecycle/index.js';
import { ChainRepository } from './chain.repository.js';
import { ChainWalk } from './chain-walk.js';

const DAY_MS = 86_400_000;
/** Entries that one transaction reads and removes. It takes only milliseconds. */
const BATCH = 500;

/**
 * Removes entries after `audit.retention_days`, from the beginning of each chain. The same transaction writes a sealed
 * checkpoint that replaces them. A chain that does not verify is left as it is, since it is evidence. Several instances
 * may do this at the same time.
 */
@Injectable()
export class AuditRetention extends PeriodicService {
  private readonly logger = new Logger(AuditRetention.name);
  private readonly chains = new ChainRepository();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly keyRing: KeyRing,
    private readonly clock: Clock,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'audit retention', config.timing.audit.retentionMs);
  }

  override async start(): Promise<void> {
    if (this.config.audit.retentionDays > 0) await super.start();
  }

  async runOnce(): Promise<void> {
    const cutoff = new Date(this.clock.now().getTime() - this.config.audit.retentionDays * DAY_MS);
    const seen = new Set<string>();
    let after: string | null = null;
    while (!this.isStopping) {
      const old: { id: string; chainId: string }[] = await this.chains.oldChains(
        this.database.reader,
        firstIdAt(cutoff),
        after,
        BATCH,
      );
      for (const chainId of new Set(old.map((entry) => entry.chainId))) {
        if (seen.has(chainId)) continue;
        seen.add(chainId);
        await this.pruneChain(chainId, cutoff);
      }
      after = old.at(-1)?.id ?? null;
      if (old.length < BATCH) return;
    }
  }

  private async pruneChain(chainId: string, cutoff: Date): Promise<void> {
    while (!this.isStopping && (await this.pruneBatch(chainId, cutoff)));
  }

  /** True if the chain may have more entries to remove. */
  private async pruneBatch(chainId: string, cutoff: Date): Promise<boolean> {
    return await this.database.transaction(async (tx) => {
      const walk = await ChainWalk.begin(tx, this.chains, this.keyRing, chainId);
      const mayGoOn = await walk.follow(tx, BATCH, ({ at }) => at < cutoff);
      const { found, state } = walk.check;
      if (found !== null) {
        this.logger.error(
          `audit chain ${chainId} is not pruned: ${found.problem}; see: servicectl audit verify`,
        );
        return false;
      }
      const { position, hash, previousHash, mac } = state;
      if (position === walk.checkpoint.origin.position) return false;
      const origin = { position, hash, previousHash };
      const waypoint = mac === null ? walk.checkpoint.waypoint : { position, hash, mac };
      if (!(await walk.put(tx, { origin, waypoint }))) return false;
      await this.chains.deleteUpTo(tx, { chainId, position });
      return mayGoOn;
    });
  }
}
