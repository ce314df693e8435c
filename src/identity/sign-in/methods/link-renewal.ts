import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Origin } from '../../../http/index.js';
import { OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import type { RealmId } from '../../users/user.repository.js';
import { VerificationMails } from './address-verification.js';
import { MailRequests } from './mail-requests.js';

/**
 * A new mail in place of one whose link is dead, to the same address and with the same end. Invitations are not
 * renewed: whoever invited decides that again.
 */
@Injectable()
export class LinkRenewal {
  constructor(
    private readonly database: Database,
    private readonly tokens: OneTimeTokens,
    private readonly requests: MailRequests,
    private readonly verificationMails: VerificationMails,
  ) {}

  /** Requests the mail as the ordinary request does. Does nothing, and says nothing of it, for an unknown token. */
  async renew(realmId: RealmId, token: string, origin: Origin): Promise<void> {
    const mail = await this.tokens.findMail(this.database.reader, realmId, token);
    if (mail === null) return;
    const { purpose, email, redirect, userId } = mail;
    if (purpose === 'recover') await this.requests.recoveryTo(realmId, email, redirect, origin);
    if (purpose === 'magic_link') await this.requests.magicLinkTo(realmId, email, redirect, false, origin);
    if (purpose === 'verify') await this.verificationMails.renew(userId, email, redirect, origin);
  }
}
