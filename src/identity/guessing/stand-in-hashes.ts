import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { createHmac } from 'node:crypto';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { KeyRing } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { standInOf } from '../passwords/imported/stand-in.js';
import type { GuessedAccount } from './account-attempts.js';
import { ImportedHashRepository } from './imported-hash.repository.js';
import type { ImportedKind } from './imported-hash.repository.js';

const PURPOSE = 'service stand-in hashes';

/** A stand-in for each kind of hash, and up to which part of all addresses has it. */
type Shares = readonly { readonly upTo: number; readonly hash: string }[];

/**
 * Hashes that stand in for those of addresses without an account. An imported hash takes another time than ours, so a
 * stand-in of ours would tell an address with an imported hash from one without an account. Each address has a stand-in
 * of one kind, chosen by a keyed function of the address, and among all addresses the kinds are as frequent as among the
 * accounts of the realm. So the time of a refusal says as little about an address without an account as about one with.
 */
@Injectable()
export class StandInHashes extends PeriodicService {
  /** Before the first sign-in. */
  readonly isNeededToServe = true;
  private readonly secret: Buffer;
  /** Of the realms that have imported hashes. */
  private shares: ReadonlyMap<string, Shares> = new Map();

  constructor(
    private readonly database: Database,
    private readonly imported: ImportedHashRepository,
    @Inject(CONFIG) { timing }: Config,
    keyRing: KeyRing,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'stand-in hashes', timing.identity.importedHashesMs);
    this.secret = keyRing.derive(PURPOSE)[0].secret;
  }

  override async start(): Promise<void> {
    await this.runOnce();
    await super.start();
  }

  /** Undefined for one of ours. */
  of({ realmId, email }: GuessedAccount): string | undefined {
    const shares = this.shares.get(realmId);
    if (shares === undefined) return undefined;
    const point = createHmac('sha256', this.secret).update(`${realmId}:${email}`).digest().readUIntBE(0, 6);
    return shares.find(({ upTo }) => point / 2 ** 48 < upTo)?.hash;
  }

  /** Counts all realms again. */
  async runOnce(): Promise<void> {
    const { reader } = this.database;
    const counts = await this.imported.countByKind(reader);
    const kinds = new Map<string, ImportedKind[]>();
    for (const kind of counts) kinds.set(kind.realmId, [...(kinds.get(kind.realmId) ?? []), kind]);
    const accounts = await this.imported.countAccounts(reader, [...kinds.keys()]);
    const shares = new Map<string, Shares>();
    for (const [realmId, ofRealm] of kinds) {
      let counted = 0;
      const all = Math.max(accounts.get(realmId) ?? 0, 1);
      shares.set(
        realmId,
        ofRealm.map(({ kind, count }) => {
          counted += count;
          return { upTo: counted / all, hash: standInOf(kind) };
        }),
      );
    }
    this.shares = shares;
  }
}
