import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../../audit/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { PublicUrl, ServiceError } from '../../../http/index.js';
import { AccountMails } from '../../mails/account-mails.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import type { OutgoingMail } from '../../mail-outbox/outgoing-mail.repository.js';
import { RedirectUrls } from '../../redirects/redirect-urls.js';
import type { RedirectRequest } from '../../redirects/redirect-urls.js';
import type { RequestedRedirect } from '../../redirects/requested-redirect.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { ManagedUsers } from '../users/managed-users.js';
import type { UserAct } from '../users/managed-users.js';

/** The mails that can be sent to a user at the wish of somebody else, and the purpose of their token. */
const PURPOSES = { verification: 'verify', recovery: 'recover', magic_link: 'magic_link' } as const;

export type ManagedMail = keyof typeof PURPOSES;

/** A mail, and where its page ends. */
export interface ManagedMailRequest extends RedirectRequest {
  readonly kind: ManagedMail;
}

/**
 * Mails with a token that an operator or a service key sends to a user. The token is in the mail only, so that following
 * it proves the address. The limits on mails count these as well: they protect the recipient, whoever sends.
 */
@Injectable()
export class ManagedMails {
  constructor(
    private readonly database: Database,
    private readonly managed: ManagedUsers,
    private readonly mails: AccountMails,
    private readonly outbox: MailOutbox,
    private readonly publicUrl: PublicUrl,
    private readonly redirects: RedirectUrls,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @throws user_not_found, user_disabled, email_already_verified, mail_not_configured, rate_limited; validation_failed
   *   for a redirect that is not allowed
   */
  async send(act: UserAct, { kind: mail, ...wanted }: ManagedMailRequest): Promise<void> {
    const { realmId } = await this.managed.require(this.database.reader, act);
    const redirect = await this.redirectOf(realmId as RealmId, wanted);
    await this.requireSendable(realmId as RealmId, mail);
    await this.database.serialTransaction(act.userId, act.actor, async (tx) => {
      await this.request(tx, await this.managed.lock(tx, act), act, { mail, redirect });
    });
  }

  /** To be called before the transaction of `request`. @throws mail_not_configured */
  async requireSendable(realmId: RealmId, mail: ManagedMail): Promise<void> {
    if (!(await this.mails.canSend(realmId, PURPOSES[mail]))) throw new ServiceError('mail_not_configured');
  }

  /** The same. @throws validation_failed for a redirect that is not allowed */
  async redirectOf(realmId: RealmId, wanted: RedirectRequest): Promise<RequestedRedirect | null> {
    return await this.redirects.require(realmId, wanted);
  }

  /**
   * Requests the mail, which is sent when `tx` commits, to a user whose row the caller holds. To be called last, since
   * the recipient's count is locked until then.
   * @returns the id of the mail
   * @throws user_disabled, email_already_verified, rate_limited
   */
  async request(
    tx: Tx,
    user: UserEntity,
    { actor, origin }: Pick<UserAct, 'actor' | 'origin'>,
    { mail, redirect }: { readonly mail: ManagedMail; readonly redirect: RequestedRedirect | null },
  ): Promise<string> {
    if (user.disabledAt !== null) throw new ServiceError('user_disabled');
    if (mail === 'verification' && user.emailVerified) throw new ServiceError('email_already_verified');
    const details = { mail };
    const action = 'user.mail_requested';
    await this.audit.append(tx, accountEvent(user.id, { actor, action, origin, details }));
    const kind = PURPOSES[mail];
    const [realmId, email, baseUrl] = [user.realmId as RealmId, user.email, this.publicUrl.base];
    const outgoing: OutgoingMail =
      kind === 'verify'
        ? { kind, userId: user.id, redirect, baseUrl, language: origin?.language ?? null }
        : { kind, realmId, email, origin, byProgram: true, isRecorded: true, redirect, baseUrl };
    return await this.outbox.enqueueOrRefuse(tx, outgoing, { kind, realmId, email });
  }
}
