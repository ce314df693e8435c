import { Injectable, Logger } from '@nestjs/common';
import { KeyRing, UnsealError } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { MailFailedError } from '../../../platform/mail/index.js';
import { AccountMails } from '../account-mails.js';
import { mailBackoffSecs } from './mail-backoff.js';
import { MailComposer } from './mail-composer.js';
import { MailOutbox } from './mail-outbox.js';
import { outgoingMailPlace } from './outgoing-mail.js';
import type { ClaimedMail, OutgoingMail } from './outgoing-mail.js';
import { OutgoingMailRepository } from './outgoing-mail.repository.js';

/** A mail that could not be sent for this long is given up. */
const GIVE_UP_AFTER_SECS = 3 * 24 * 3600;
/** A hint that comes before the mail is due is a hint lost. */
const HINT_MARGIN_MS = 50;

/** One attempt at one mail: claim, compose, send, and no transaction open while the mail server is spoken to. */
@Injectable()
export class MailDelivery {
  private readonly logger = new Logger(MailDelivery.name);

  constructor(
    private readonly database: Database,
    private readonly outgoing: OutgoingMailRepository,
    private readonly keys: KeyRing,
    private readonly composer: MailComposer,
    private readonly mails: AccountMails,
    private readonly outbox: MailOutbox,
  ) {}

  /**
   * Attempts the mail named, or with null the one that is due the longest. True when one was done with;
   * false when none was due or the attempt failed.
   */
  async deliver(mailId: string | null): Promise<boolean> {
    const claimed = await this.outgoing.claim(this.database.oneStatement, mailId);
    if (claimed === null) return false;
    try {
      const composed = await this.composer.compose(this.open(claimed), claimed.attempt === 1);
      if (composed !== null) await this.mails.send(composed.realmId, composed.mail);
    } catch (error) {
      const failure = error instanceof UnsealError ? new MailFailedError('unsealable', false) : error;
      if (!(failure instanceof MailFailedError)) throw error;
      await this.failed(claimed, failure);
      return false;
    }
    await this.outgoing.remove(this.database.oneStatement, claimed);
    return true;
  }

  private open({ id, sealed }: ClaimedMail): OutgoingMail {
    return JSON.parse(this.keys.open(sealed, outgoingMailPlace(id)).toString('utf8')) as OutgoingMail;
  }

  private async failed(claimed: ClaimedMail, { reason, isFinal }: MailFailedError): Promise<void> {
    const { id, attempt, ageSecs } = claimed;
    if (isFinal || ageSecs > GIVE_UP_AFTER_SECS) {
      this.logger.error(`mail ${id} is given up after attempt ${attempt}: ${reason}`);
      await this.outgoing.remove(this.database.oneStatement, claimed);
      return;
    }
    const delaySecs = mailBackoffSecs(attempt);
    this.logger.warn(`mail ${id} could not be sent (attempt ${attempt}, next in ${delaySecs} s): ${reason}`);
    await this.outgoing.postpone(this.database.oneStatement, claimed, delaySecs, reason);
    await this.outbox.hint(id, delaySecs * 1000 + HINT_MARGIN_MS);
  }
}
