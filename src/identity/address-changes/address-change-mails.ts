import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import { PublicUrl, ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { AccountMails } from '../mails/account-mails.js';
import { AccountNotices } from '../mail-outbox/account-notices.js';
import { MailOutbox } from '../mail-outbox/mail-outbox.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import type { AddressChange } from './address-change.repository.js';

/** The mails of a change of address. */
@Injectable()
export class AddressChangeMails {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly notices: AccountNotices,
    private readonly mails: AccountMails,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Call it before a transaction: it may query the database. @throws mail_not_configured */
  async requireSendable(realmId: RealmId): Promise<void> {
    if (!(await this.mails.canSend(realmId, 'change_email'))) throw new ServiceError('mail_not_configured');
  }

  /** Sends the link to the new address and a notice to the old one when `tx` commits, within the limits on mails. */
  async send(
    tx: Tx,
    user: UserEntity,
    change: { newEmail: string; token: string },
    origin: Origin,
  ): Promise<void> {
    const { newEmail: email, token } = change;
    const mail = {
      kind: 'change_email',
      userId: user.id,
      email,
      token,
      baseUrl: this.publicUrl.base,
      language: origin.language ?? null,
    } as const;
    const use = { realmId: user.realmId as RealmId, email, kind: 'change_email', sender: user.id } as const;
    await this.outbox.enqueueWithinLimits(mail, use, tx);
    await this.notices.send(tx, user, 'email_change_requested', origin);
  }

  /** Notifies whoever reads the mails of the former address. */
  async tellFormer(
    tx: Tx,
    realmId: RealmId,
    { userId: id, formerEmail: email }: AddressChange,
    origin: Origin,
  ): Promise<void> {
    await this.notices.send(tx, { id, realmId, email }, 'email_changed', origin);
  }
}
