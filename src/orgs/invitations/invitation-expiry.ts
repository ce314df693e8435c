import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AuditTrail, SYSTEM } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import type { TenantId } from '../../http/index.js';
import { InvitationRepository } from './invitation.repository.js';

/** Ends the invitations that were not accepted in time, and records that each has expired, once. */
@Injectable()
export class InvitationExpiry extends PeriodicService {
  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
    private readonly audit: AuditTrail,
    @Inject(CONFIG) { timing }: Config,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'expiry of invitations', timing.identity.invitationSweepMs);
  }

  async runOnce(): Promise<void> {
    while (!this.isStopping && (await this.database.transaction((tx) => this.endSome(tx))));
  }

  /** @param tx holds the organization */
  async endExpired(tx: Tx, orgId: TenantId): Promise<void> {
    for (const { id, email, role } of await this.invitations.endExpired(tx, orgId))
      await this.audit.append(tx, {
        actor: SYSTEM,
        action: 'invitation.expired',
        target: { type: 'invitation', id },
        tenantId: orgId,
        userId: null,
        origin: null,
        details: { email, role },
      });
  }

  /** @returns whether an organization had any, apart from those that others are changing */
  private async endSome(tx: Tx): Promise<boolean> {
    const orgId = await this.invitations.lockSomeWithExpired(tx);
    if (orgId !== null) await this.endExpired(tx, orgId);
    return orgId !== null;
  }
}
