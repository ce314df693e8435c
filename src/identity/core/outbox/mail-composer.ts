import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../audit/index.js';
import { Database } from '../../../platform/database/index.js';
import { Mail } from '../../../platform/mail/index.js';
import type { MailMessage } from '../../../platform/mail/index.js';
import { mailLink } from '../mail-link.js';
import { OneTimeTokens } from '../one-time-tokens.js';
import type { TokenPurpose } from '../one-time-tokens.js';
import type { UserEntity } from '../user.entity.js';
import { UserRepository } from '../user.repository.js';
import type { OutgoingMail } from './outgoing-mail.js';

type Recovery = Extract<OutgoingMail, { kind: 'recover' }>;

/** Turns what was asked for into a message, at the moment of sending. */
@Injectable()
export class MailComposer {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokens,
    private readonly audit: AuditTrail,
    private readonly mail: Mail,
  ) {}

  /** Null when there is nothing to send any more, or nobody to send it to. */
  async compose(mail: OutgoingMail, isFirstAttempt: boolean): Promise<MailMessage | null> {
    if (mail.kind === 'message') return mail.message;
    if (mail.kind === 'verify') {
      return await this.withToken(mail.userId, 'verify', mail.baseUrl, (user) => !user.emailVerified);
    }
    const user = await this.users.findByEmail(this.database.reader, mail.realmId, mail.email);
    if (isFirstAttempt) await this.recordRecovery(mail, user);
    if (user === null || !this.mail.isConfigured) return null;
    return await this.withToken(user.id, 'recover', mail.baseUrl, () => true);
  }

  private async withToken(
    userId: string,
    purpose: TokenPurpose,
    baseUrl: string,
    isWanted: (user: UserEntity) => boolean,
  ): Promise<MailMessage | null> {
    return await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      if (user === null || user.disabledAt !== null || !isWanted(user)) return null;
      const link = mailLink(baseUrl, purpose, await this.tokens.issue(tx, user, purpose));
      return { to: user.email, template: purpose, variables: { link, email: user.email } };
    });
  }

  private async recordRecovery({ origin }: Recovery, user: UserEntity | null): Promise<void> {
    const refusedFor = user === null ? 'unknown_address' : user.disabledAt === null ? null : 'disabled';
    await this.audit.appendAlone({
      actor: { type: 'anonymous', id: null },
      action: refusedFor === null ? 'recovery.requested' : 'recovery.request_refused',
      target: user === null ? null : { type: 'user', id: user.id },
      orgId: null,
      userId: user?.id ?? null,
      origin,
      details: refusedFor === null ? {} : { reason: refusedFor },
    });
  }
}
