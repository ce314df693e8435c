import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import type { Actor } from '../../../../audit/index.js';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { Database } from '../../../../platform/database/index.js';
import type { Tx } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import { requireQuota } from '../../../../limits/index.js';
import { Accounts } from '../../../accounts/accounts.js';
import { answerWithoutSecrets } from '../../../mails/server-answer.js';
import { MailLimits } from '../../../mails/mail-limits.js';
import type { MailUse } from '../../../mails/mail-limits.js';
import { OneTimeTokens } from '../../../one-time-tokens/one-time-tokens.js';
import type { RedirectRequest } from '../../../redirects/redirect-urls.js';
import type { RequestedRedirect } from '../../../redirects/requested-redirect.js';
import type { UserEntity } from '../../../users/user.repository.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import { InvitationExpiry } from './invitation-expiry.js';
import { ProjectInvitationRepository } from './invitation.repository.js';
import { NO_METADATA } from '../../../users/metadata.js';

/** How many invitations of a project may be pending, and how many may be mailed. */
@Injectable()
export class InvitationAllowance {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly invitations: ProjectInvitationRepository,
    private readonly mails: MailLimits,
  ) {}

  /**
   * Requires that one more invitation is allowed, under a lock that is held until the transaction ends. @throws
   * limit_reached
   */
  async requireQuota(tx: Tx, project: ResolvedProject): Promise<void> {
    const realmId = realmOf(project);
    await requireQuota(this.config.limits, 'pendingInvitations', async () => {
      await this.invitations.lockRealm(tx, realmId);
      return await this.invitations.countPending(tx, realmId);
    });
  }

  /**
   * Counts the mail that is to be sent once `tx` has committed. To be called last, since the recipient's count is held
   * until then.
   * @param replacesUnsent whether a crash interrupted the previous one, so that it may be sent again immediately
   * @throws rate_limited
   */
  async countMail(tx: Tx, project: ResolvedProject, email: string, replacesUnsent: boolean): Promise<void> {
    const use = useOf(project, email);
    if (replacesUnsent) await this.mails.endInterval(tx, use);
    await this.mails.count(tx, use);
  }

  /** Undoes the count of a mail that was not sent. */
  async giveBackMail(project: ResolvedProject, email: string): Promise<void> {
    await this.mails.giveBack(useOf(project, email));
  }
}

function useOf(project: ResolvedProject, email: string): MailUse {
  return { kind: 'invite', realmId: realmOf(project), email, sender: project.id };
}

/** Who invites whom, and from where. */
export interface InvitationRequest extends RedirectRequest {
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

/** The rows of an invitation while its mail is being sent. */
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
   * Creates the user and the token, and counts the mail. The caller holds the lock of the address.
   * @throws limit_reached, email_taken, rate_limited
   */
  async begin(
    { project, email, actor, origin }: InvitationRequest,
    redirect: RequestedRedirect | null,
  ): Promise<PendingInvitation> {
    const realmId = realmOf(project);
    return await this.database.serialTransaction(project.id, actor, async (tx) => {
      await this.allowance.requireQuota(tx, project);
      const isFreed = await this.expiry.freeAddressIn(tx, realmId, email, true);
      const account = { email, passwordHash: null, emailVerified: false, metadata: NO_METADATA };
      const user = await this.accounts.create(tx, realmId, account, origin, { by: 'invitation' }, actor);
      if (user === null) throw new ServiceError('email_taken');
      const expiresAt = await this.invitations.insertInvitation(tx, user.id);
      await this.audit.append(tx, {
        actor,
        action: 'user.invited',
        target: { type: 'user', id: user.id },
        tenantId: project.id,
        userId: null,
        origin,
        details: { email },
      });
      const token = await this.tokens.issue(tx, user, 'invite', redirect);
      await this.allowance.countMail(tx, project, email, isFreed);
      return { user, expiresAt, token };
    });
  }

  /**
   * The mail was sent: the address is taken until the invitation expires.
   * @param answer what the mail server said
   */
  async sent({ user, token }: PendingInvitation, answer: string | null): Promise<void> {
    await this.invitations.markSent(this.database.autoCommit, user.id, answerWithoutSecrets(answer, token));
  }

  /** The mail was not sent: deletes the user again. */
  async abandon({ user }: PendingInvitation, request: InvitationRequest): Promise<void> {
    const { project, email, actor, origin } = request;
    await this.allowance.giveBackMail(project, email);
    await this.database.transaction(async (tx) => {
      if (await this.invitations.holdUnsent(tx, user.id))
        await this.accounts.delete(tx, user.id, actor, origin, { reason: 'invitation_not_sent' });
    });
  }
}
