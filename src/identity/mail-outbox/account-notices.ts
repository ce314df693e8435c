import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import type { Notice } from '../mails/account-mails.js';
import { MailOutbox } from './mail-outbox.js';

/** Mails without a token that tell users what somebody else changed in their account. */
@Injectable()
export class AccountNotices {
  constructor(private readonly outbox: MailOutbox) {}

  /**
   * Sends it when `tx` commits, within the limits on mails, if the realm has a mail server then.
   * @param origin of the request that changed it
   */
  async send(
    tx: Tx,
    { id: userId, realmId, email }: Pick<UserEntity, 'id' | 'realmId' | 'email'>,
    notice: Notice,
    origin: Origin | null,
  ): Promise<void> {
    const mail = { kind: 'notice', userId, notice, to: email, language: origin?.language ?? null } as const;
    await this.outbox.enqueueWithinLimits(mail, { realmId: realmId as RealmId, email, kind: notice }, tx);
  }
}
