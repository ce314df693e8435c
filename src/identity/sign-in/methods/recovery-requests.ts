import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../../../platform/http/index.js';
import type { Origin } from '../../../platform/http/index.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import type { RealmId } from '../../users/user.repository.js';

/** Asking for the mail that leads back into an account. */
@Injectable()
export class RecoveryRequests {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Asks for the mail, as often as the limits of mails allow. Whether the address has an account is looked up when the mail
   * is composed, by a worker: nothing here depends on it, so neither the answer nor its time can tell.
   */
  async request(realmId: RealmId, email: string, origin: Origin): Promise<void> {
    const mail = { kind: 'recover', realmId, email, origin, baseUrl: this.publicUrl.base } as const;
    await this.outbox.enqueueWithinLimits(mail, { realmId, email, kind: 'recover' });
  }
}
