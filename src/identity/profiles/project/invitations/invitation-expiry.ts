import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { SYSTEM } from '../../../../audit/index.js';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { Database } from '../../../../platform/database/index.js';
import type { Tx } from '../../../../platform/database/index.js';
import { PeriodicService } from '../../../../platform/lifecycle/index.js';
import { Accounts } from '../../../accounts/accounts.js';
import type { RealmId } from '../../../users/user.repository.js';
import { ProjectInvitationRepository } from './invitation.repository.js';

/** Deletes the users of invitations that were not accepted in time, so that their addresses become free. */
@Injectable()
export class InvitationExpiry extends PeriodicService {
  constructor(
    private readonly database: Database,
    private readonly invitations: ProjectInvitationRepository,
    private readonly accounts: Accounts,
    @Inject(CONFIG) { timing }: Config,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'invitation expiry', timing.identity.invitationSweepMs);
  }

  /** Frees the address if an expired invitation holds it. */
  async freeAddress(realmId: RealmId, email: string): Promise<void> {
    await this.database.transaction((tx) => this.freeAddressIn(tx, realmId, email, false));
  }

  /**
   * @returns whether there was one
   * @param withUnsent see `ProjectInvitationRepository.holdDead`
   */
  async freeAddressIn(tx: Tx, realmId: RealmId, email: string, withUnsent: boolean): Promise<boolean> {
    const userId = await this.invitations.holdDead(tx, realmId, email, withUnsent);
    if (userId !== null) await this.remove(tx, userId);
    return userId !== null;
  }

  async runOnce(): Promise<void> {
    await this.invitations.prune(this.database.autoCommit);
    while ((await this.database.transaction((tx) => this.removeSome(tx))) > 0);
  }

  private async removeSome(tx: Tx): Promise<number> {
    const userIds = await this.invitations.holdSomeDead(tx);
    for (const userId of userIds) await this.remove(tx, userId);
    return userIds.length;
  }

  private async remove(tx: Tx, userId: string): Promise<void> {
    await this.accounts.delete(tx, userId, SYSTEM, null, { reason: 'invitation_expired' });
  }
}
