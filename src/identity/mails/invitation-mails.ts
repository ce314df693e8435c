import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Origin, TenantId } from '../../http/index.js';
import { DeliveryAttempt, Mail, MailFailedError } from '../../platform/mail/index.js';
import { UserLanguages } from '../languages/index.js';
import { MailRenderer } from '../mail-templates/index.js';
import { DEPLOYMENT_REALM, UserRepository } from '../users/user.repository.js';
import { MailHistoryRepository } from './mail-history.repository.js';
import type { MailOutcome } from './mail-history.repository.js';
import { MailLimits } from './mail-limits.js';
import type { MailUse } from './mail-limits.js';
import { answerWithoutSecrets } from './server-answer.js';

/** The mail of an invitation to an organization. */
export interface InvitationLetter {
  readonly invitationId: string;
  readonly organizationId: TenantId;
  readonly to: string;
  /** What the template can contain, besides the address and the link. */
  readonly values: { readonly org: string; readonly role: string; readonly inviter: string };
  readonly link: string;
  readonly token: string;
  /** Of the request that sends it. */
  readonly origin: Origin;
}

/** Mails of invitations to organizations. Each is sent while its request waits, which can show the link instead. */
@Injectable()
export class InvitationMails {
  private readonly logger = new Logger(InvitationMails.name);

  constructor(
    private readonly mail: Mail,
    private readonly limits: MailLimits,
    private readonly renderer: MailRenderer,
    private readonly languages: UserLanguages,
    private readonly users: UserRepository,
    private readonly database: Database,
    private readonly history: MailHistoryRepository,
  ) {}

  /**
   * Counts the mail that is to be sent once `tx` has committed. To be called last, since the recipient's count is
   * locked until then. @throws rate_limited
   */
  async count(tx: Tx, organizationId: TenantId, to: string): Promise<void> {
    if (this.mail.isConfigured) await this.limits.count(tx, useOf(organizationId, to));
  }

  /**
   * Whether the mail server accepted the mail; false without a mail server. A mail that it did not accept does not
   * count. The history tells what the server answered.
   */
  async send(letter: InvitationLetter): Promise<boolean> {
    if (!this.mail.isConfigured) return false;
    const { to, organizationId } = letter;
    const account = await this.users.findByEmail(this.database.reader, DEPLOYMENT_REALM, to);
    const begunAt = performance.now();
    try {
      const answer = await this.deliver(letter, account?.locale);
      await this.record(letter, account?.id ?? null, { reason: null, answer }, begunAt);
      return true;
    } catch (error) {
      if (!(error instanceof MailFailedError)) throw error;
      await this.limits.giveBack(useOf(organizationId, to));
      await this.record(letter, account?.id ?? null, error, begunAt);
      // What the server answered may repeat the mail.
      this.logger.warn(`an invitation was not mailed; its link is in the response instead: ${error.message}`);
      return false;
    }
  }

  private async deliver(
    { to, values, link, origin }: InvitationLetter,
    locale: string | null | undefined,
  ): Promise<string | null> {
    const language = this.languages.choose(locale, origin.language);
    const letter = { name: 'invite', language, values: { ...values, link, email: to } } as const;
    const rendered = await this.renderer.render(DEPLOYMENT_REALM, letter);
    return await this.mail.send(to, rendered, DeliveryAttempt.inRequest());
  }

  /** The invitation stands, whether or not the history tells of its mail. */
  private async record(
    { invitationId: id, to: recipient, token }: InvitationLetter,
    accountId: string | null,
    { reason, answer }: MailOutcome,
    begunAt: number,
  ): Promise<void> {
    const tookMs = performance.now() - begunAt;
    const mailed = { id, realmId: DEPLOYMENT_REALM, recipient, accountId, tookMs };
    const outcome = { reason, answer: answerWithoutSecrets(answer, token) };
    try {
      await this.history.insertInvitation(this.database.autoCommit, mailed, outcome);
    } catch (error) {
      this.logger.warn(error, 'the mail of an invitation is missing from the history');
    }
  }
}

function useOf(sender: TenantId, email: string): MailUse {
  return { kind: 'invite', realmId: DEPLOYMENT_REALM, email, sender };
}
