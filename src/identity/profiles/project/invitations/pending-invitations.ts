import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import type { Actor } from '../../../../audit/index.js';
import { Database } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../platform/http/index.js';
import type { Origin, ResolvedProject } from '../../../../platform/http/index.js';
import { Accounts } from '../../../accounts/accounts.js';
import { OneTimeTokens } from '../../../one-time-tokens/one-time-tokens.js';
import type { UserEntity } from '../../../users/user.entity.js';
import { realmOf } from '../project-realm.js';
import { InvitationAllowance } from './invitation-allowance.js';
import { InvitationExpiry } from './invitation-expiry.js';
import { ProjectInvitationRepository } from './invitation.repository.js';

/** Who invites whom, and from where. */
export interface InvitationRequest {
  readonly project: ResolvedProject;
  readonly email: string;
  readonly actor: Actor;
  readonly origin: Origin;
}

export interface PendingInvitation {
  readonly user: UserEntity;
  readonly expiresAt: Date;
  readonly token: string;
}

/** The rows of an invitation while its mail is under way. */
@Injectable()
export class PendingInvitations {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly tokens: OneTimeTokens,
    private readonly expiry: InvitationExpiry,
    private readonly invitations: ProjectInvitationRepository,
    private readonly audit: AuditTrail,
    private readonly allowance: InvitationAllowance,
  ) {}

  /**
   * Makes the user and the token, and counts the mail. To be called by whoever alone may invite the address.
   * @throws limit_reached, email_taken, rate_limited
   */
  async begin({ project, email, actor, origin }: InvitationRequest): Promise<PendingInvitation> {
    const realmId = realmOf(project);
    return await this.database.serialTransaction(project.id, actor, async (tx) => {
      await this.allowance.requireQuota(tx, project);
      const isFreed = await this.expiry.freeAddressIn(tx, realmId, email, true);
      const account = { email, passwordHash: null, emailVerified: false, metadata: {} };
      const user = await this.accounts.create(tx, realmId, account, origin, { by: 'invitation' }, actor);
      if (user === null) throw new ServiceError('email_taken');
      const expiresAt = await this.invitations.insert(tx, user.id);
      await this.audit.append(tx, {
        actor,
        action: 'user.invited',
        target: { type: 'user', id: user.id },
        orgId: project.id,
        userId: null,
        origin,
        details: { email },
      });
      const token = await this.tokens.issue(tx, user, 'invite');
      await this.allowance.countMail(tx, project, email, isFreed);
      return { user, expiresAt, token };
    });
  }

  /** The mail is out: from here on the address is taken until the invitation expires. */
  async sent({ user }: PendingInvitation): Promise<void> {
    await this.invitations.markSent(this.database.autoCommit, user.id);
  }

  /** The mail did not go out: the user goes as it came. */
  async abandon({ user }: PendingInvitation, request: InvitationRequest): Promise<void> {
    const { project, email, actor, origin } = request;
    await this.allowance.giveBackMail(project, email);
    await this.database.transaction(async (tx) => {
      if (await this.invitations.holdUnsent(tx, user.id))
        await this.accounts.delete(tx, user.id, actor, origin, { reason: 'invitation_not_sent' });
    });
  }
}
