import { Injectable, Logger } from '@nestjs/common';
import { KeyRing, UnsealError } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { MailFailedError } from '../../platform/mail/index.js';
import { AccountMails } from './account-mails.js';
import { MailClaims } from './mail-claims.js';
import type { HeldMail } from './mail-claims.js';
import { MailComposer } from './mail-composer.js';
import { MailOutbox } from './mail-outbox.js';
import { outgoingMailPlace, OutgoingMailRepository } from './outgoing-mail.repository.js';
import type { ClaimedMail, OutgoingMail } from './outgoing-mail.repository.js';

const FIRST_SECS = 1;
const LONGEST_SECS = 900;

/** How long to wait after a failed attempt, counted from 1: doubling from a second to a quarter of an hour. */
export function mailBackoffSecs(attempt: number): number {
  return Math.min(FIRST_SECS * 2 ** Math.min(attempt - 1, 20), LONGEST_SECS);
}

/** A mail that could not be sent for this long is discarded. */
const GIVE_UP_AFTER_SECS = 3 * 24 * 3600;
/** A wake-up that arrives before the mail is due is lost. */
const WAKE_UP_MARGIN_MS = 50;

/**
 * `done`; `refused`: the server refused this mail but may take others; `unserved`: it would take no mail of the realm
 * now.
 */
export type DeliveryOutcome = 'done' | 'refused' | 'unserved';

/** One attempt to deliver one mail. No transaction is open while it talks to the mail server. */
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
    private readonly claims: MailClaims,
  ) {}

  async attempt(mail: HeldMail): Promise<DeliveryOutcome> {
    const { claimed, handover } = mail;
    const failure = await this.passOn(mail);
    await this.claims.release(mail);
    if (failure === null) {
      await this.outgoing.remove(this.database.autoCommit, claimed);
      return 'done';
    }
    if (handover.isStopped && !handover.isWritten) await this.giveBack(claimed);
    else await this.failed(claimed, failure);
    return failure.isOfMessage ? 'refused' : 'unserved';
  }

  /** Why the mail was not sent; null when it was, or no longer had to be. */
  private async passOn({ claimed, handover }: HeldMail): Promise<MailFailedError | null> {
    try {
      const composed = await this.composer.compose(claimed, this.open(claimed));
      if (composed === null) return null;
      if ('mail' in composed) await this.mails.send(composed.realmId, composed.mail, handover);
      else await this.mails.notify(composed.realmId, composed.to, composed.notice, handover);
      return null;
    } catch (error) {
      if (error instanceof UnsealError) return new MailFailedError('unsealable', false, true);
      if (error instanceof MailFailedError) return error;
      throw error;
    }
  }

  private open({ id, sealed }: ClaimedMail): OutgoingMail {
    return JSON.parse(this.keys.open(sealed, outgoingMailPlace(id)).toString('utf8')) as OutgoingMail;
  }

  private async giveBack(claimed: ClaimedMail): Promise<void> {
    await this.outgoing.giveBack(this.database.autoCommit, claimed);
    await this.outbox.wakeUp(claimed.id, 0);
  }

  private async failed(claimed: ClaimedMail, { reason, isFinal }: MailFailedError): Promise<void> {
    const { id, attempt, ageSecs } = claimed;
    if (isFinal || ageSecs > GIVE_UP_AFTER_SECS) {
      this.logger.error(`mail ${id} is given up after attempt ${attempt}: ${reason}`);
      await this.outgoing.remove(this.database.autoCommit, claimed);
      return;
    }
    const delaySecs = mailBackoffSecs(attempt);
    this.logger.warn(`mail ${id} could not be sent (attempt ${attempt}, next in ${delaySecs} s): ${reason}`);
    await this.outgoing.postpone(this.database.autoCommit, claimed, delaySecs, reason);
    await this.outbox.wakeUp(id, delaySecs * 1000 + WAKE_UP_MARGIN_MS);
  }
}
