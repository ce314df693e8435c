import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import type { Actor } from '../../../../audit/index.js';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { Database } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../platform/http/index.js';
import type { Origin, ResolvedProject } from '../../../../platform/http/index.js';
import { demandRoom } from '../../../../platform/limits/index.js';
import { Accounts, MailLimits, OneTimeTokens } from '../../../core/index.js';
import type { MailUse, UserEntity } from '../../../core/index.js';
import { realmOf } from '../project-realm.js';
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
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly tokens: OneTimeTokens,
    private readonly expiry: InvitationExpiry,
    private readonly invitations: ProjectInvitationRepository,
    private readonly audit: AuditTrail,
    private readonly limits: MailLimits,
  ) {}

  /**
   * Makes the user and the token, and counts the mail. To be called by whoever alone may invite the address.
   * @throws limit_reached, email_taken, rate_limited
   */
  async begin(request: InvitationRequest): Promise<PendingInvitation> {
    const { project, email, actor, origin } = request;
    const realmId = realmOf(project);
    return await this.database.transactionInTurn(project.id, async (tx) => {
      await demandRoom(this.config.limits, 'pendingInvitations', async () => {
        await this.invitations.lockRealm(tx, realmId);
        return await this.invitations.countPending(tx, realmId);
      });
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
      // What a crash cut short may be done again at once.
      if (isFreed) await this.limits.endInterval(tx, mailOf(request));
      await this.limits.count(tx, mailOf(request));
      return { user, expiresAt, token };
    });
  }

  /** The mail is out: from here on the address is taken until the invitation expires. */
  async sent({ user }: PendingInvitation): Promise<void> {
    await this.invitations.markSent(this.database.oneStatement, user.id);
  }

  /** The mail did not go out: the user goes as it came. */
  async abandon({ user }: PendingInvitation, request: InvitationRequest): Promise<void> {
    const { actor, origin } = request;
    await this.limits.giveBack(mailOf(request));
    await this.database.transaction(async (tx) => {
      if (await this.invitations.holdUnsent(tx, user.id))
        await this.accounts.delete(tx, user.id, actor, origin, { reason: 'invitation_not_sent' });
    });
  }
}

function mailOf({ project, email }: InvitationRequest): MailUse {
  return { kind: 'invite', realmId: realmOf(project), email, sender: project.id };
}
