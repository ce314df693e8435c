import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../../audit/index.js';
import type { AuditContext } from '../../../audit/index.js';
import { isUuid } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { decodeCursor, pageOf, ServiceError } from '../../../http/index.js';
import type { Page } from '../../../http/index.js';
import { AccountMails, isNotice } from '../../mails/account-mails.js';
import type { Notice } from '../../mails/account-mails.js';
import { MailListRepository } from '../../mail-outbox/mail-list.js';
import type { ListedMail } from '../../mail-outbox/mail-list.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import { DEPLOYMENT_REALM } from '../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { filterOf } from '../dto/listed-mail.js';
import type { MailQuery } from '../dto/listed-mail.js';
import { ManagedMails } from './managed-mails.js';
import { ManagedUsers } from '../users/managed-users.js';

/** The mails that wait, were sent or given up, for an operator or a service key. */
@Injectable()
export class ManagedOutbox {
  constructor(
    private readonly database: Database,
    private readonly list: MailListRepository,
    private readonly outbox: MailOutbox,
    private readonly managed: ManagedUsers,
    private readonly mails: ManagedMails,
    private readonly accountMails: AccountMails,
    private readonly audit: AuditTrail,
  ) {}

  /** Newest first. @param realmId null for all */
  async page(realmId: RealmId | null, query: MailQuery): Promise<Page<ListedMail>> {
    const { limit, cursor } = query;
    const position = { limit: limit + 1, before: decodeCursor(cursor) };
    const found = await this.list.list(this.database.reader, { ...filterOf(query), realmId }, position);
    return pageOf(found, limit, ({ id }) => id);
  }

  /**
   * Sends a mail again: one that waits is due now, and one that is finished is requested once more, as a new mail with a
   * new link that ends where the first did, within the limits on mails.
   * @throws mail_not_found, mail_not_repeatable, mail_not_configured, user_disabled, email_already_verified, rate_limited
   */
  async retry(realmId: RealmId | null, id: string, by: AuditContext): Promise<ListedMail> {
    const mail = isUuid(id) ? await this.list.find(this.database.reader, realmId, id) : null;
    if (mail === null) throw new ServiceError('mail_not_found');
    const { realmId: realm, userId, kind } = mail;
    if (mail.state === 'waiting') return await this.hasten(mail, by);
    // Only the user may ask for a link to a new address, and only who may invite for an invitation.
    if (kind === 'email_change' || kind === 'invitation')
      throw new ServiceError('mail_not_repeatable', { hint: repeatHint(mail) });
    if (userId === null) throw new ServiceError('mail_not_found');
    if (isNotice(kind)) {
      if (!(await this.accountMails.canNotify(realm))) throw new ServiceError('mail_not_configured');
    } else await this.mails.requireSendable(realm, kind);
    // A URL that is no longer allowed is refused where the page ends; its challenge protects the link all the same.
    const redirect = await this.list.redirectOf(this.database.reader, mail.id);
    return await this.database.serialTransaction(userId, by.actor, async (tx) => {
      const user = await this.managed.lock(tx, { realm, userId });
      const sent = isNotice(kind)
        ? await this.notify(tx, user, kind, by)
        : await this.mails.request(tx, user, by, { mail: kind, redirect });
      return await this.required(tx, sent);
    });
  }

  private async hasten({ id, realmId, userId, kind }: ListedMail, by: AuditContext): Promise<ListedMail> {
    return await this.database.serialTransaction(userId ?? realmId, by.actor, async (tx) => {
      if (await this.outbox.makeDue(tx, id)) await this.record(tx, userId, kind, by);
      return await this.required(tx, id);
    });
  }

  private async notify(
    tx: Tx,
    { id: userId, realmId, email }: UserEntity,
    notice: Notice,
    by: AuditContext,
  ): Promise<string> {
    await this.record(tx, userId, notice, by);
    const use = { kind: notice, realmId: realmId as RealmId, email } as const;
    const language = by.origin?.language ?? null;
    return await this.outbox.enqueueOrRefuse(tx, { kind: 'notice', userId, notice, language }, use);
  }

  private async record(
    tx: Tx,
    userId: string | null,
    mail: string,
    { actor, origin }: AuditContext,
  ): Promise<void> {
    const action = 'user.mail_requested';
    await this.audit.append(tx, accountEvent(userId, { actor, action, origin, details: { mail } }));
  }

  private async required(tx: Tx, id: string): Promise<ListedMail> {
    const mail = await this.list.find(tx, null, id);
    if (mail === null) throw new ServiceError('mail_not_found');
    return mail;
  }
}

function repeatHint({ kind, realmId }: ListedMail): string {
  if (kind === 'email_change') return 'The user asks for the change once more.';
  return realmId === DEPLOYMENT_REALM
    ? 'Whoever invites the address once more sends a new mail with a new link.'
    : 'Send the user a recovery mail: its link sets the password, and proves the address, too.';
}
