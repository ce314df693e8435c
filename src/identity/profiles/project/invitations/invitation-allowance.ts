import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import type { Tx } from '../../../../platform/database/index.js';
import type { ResolvedProject } from '../../../../platform/http/index.js';
import { requireQuota } from '../../../../platform/limits/index.js';
import { MailLimits } from '../../../mail-outbox/mail-limits.js';
import type { MailUse } from '../../../mail-outbox/mail-limits.js';
import { realmOf } from '../project-realm.js';
import { ProjectInvitationRepository } from './invitation.repository.js';

/** How many invitations of a project may be pending, and how many may be mailed. */
@Injectable()
export class InvitationAllowance {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly invitations: ProjectInvitationRepository,
    private readonly mails: MailLimits,
  ) {}

  /** Demands room for one more, under a lock that is held until the transaction ends. @throws limit_reached */
  async requireQuota(tx: Tx, project: ResolvedProject): Promise<void> {
    const realmId = realmOf(project);
    await requireQuota(this.config.limits, 'pendingInvitations', async () => {
      await this.invitations.lockRealm(tx, realmId);
      return await this.invitations.countPending(tx, realmId);
    });
  }

  /**
   * Counts the mail that is to be sent once `tx` has committed. To be called last, since the recipient's count is
   * held until then.
   * @param replacesUnsent whether a crash cut short the one before, so that it may be sent again at once
   * @throws rate_limited
   */
  async countMail(tx: Tx, project: ResolvedProject, email: string, replacesUnsent: boolean): Promise<void> {
    const use = useOf(project, email);
    if (replacesUnsent) await this.mails.endInterval(tx, use);
    await this.mails.count(tx, use);
  }

  /** Takes back the count of a mail that was not sent. */
  async giveBackMail(project: ResolvedProject, email: string): Promise<void> {
    await this.mails.giveBack(useOf(project, email));
  }
}

function useOf(project: ResolvedProject, email: string): MailUse {
  return { kind: 'invite', realmId: realmOf(project), email, sender: project.id };
}
