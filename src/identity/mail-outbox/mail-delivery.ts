import { Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/index.js';
import { KeyRing, UnsealError } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { MailFailedError } from '../../platform/mail/index.js';
import { AccountMails } from '../mails/account-mails.js';
import { answerWithoutSecrets } from '../mails/server-answer.js';
import { MailClaims } from './mail-claims.js';
import type { InFlightMail } from './mail-claims.js';
import { MailComposer } from './mail-composer.js';
import { MailOutbox } from './mail-outbox.js';
import { outgoingMailAssociatedData, OutgoingMailRepository } from './outgoing-mail.repository.js';
import type { ClaimedMail, OutgoingMail, FinishedMail } from './outgoing-mail.repository.js';
import type { RequestedRedirect } from '../redirects/requested-redirect.js';

type MailTiming = Config['timing']['mail'];

/** How long to wait after a failed attempt, counted from 1: doubling from the first pause to the longest. */
export function mailBackoffSecs(
  attempt: number,
  { firstRetrySecs, longestRetrySecs }: Pick<MailTiming, 'firstRetrySecs' | 'longestRetrySecs'>,
): number {
  return Math.min(firstRetrySecs * 2 ** Math.min(attempt - 1, 20), longestRetrySecs);
}

/** A wake-up that arrives before the mail is due is lost. */
const WAKE_UP_MARGIN_MS = 50;

/**
 * `done`; `refused`: the server refused this mail but may take others; `unserved`: it would take no mail of the realm
 * now.
 */
export type DeliveryOutcome = 'done' | 'refused' | 'unserved';

/** What became of an attempt: `not needed` when there was nothing left to send. */
type DeliveryResult =
  | 'not needed'
  | {
      readonly failure: MailFailedError | null;
      readonly answer: string | null;
      readonly redirect: RequestedRedirect | null;
    };

/** One attempt to deliver one mail. No transaction is open while it talks to the mail server. */
@Injectable()
export class MailDelivery {
  private readonly logger = new Logger(MailDelivery.name);
  private readonly timing: MailTiming;

  constructor(
    private readonly database: Database,
    private readonly outgoing: OutgoingMailRepository,
    private readonly keys: KeyRing,
    private readonly composer: MailComposer,
    private readonly mails: AccountMails,
    private readonly outbox: MailOutbox,
    private readonly claims: MailClaims,
  ) {
    this.timing = claims.timing;
  }

  async attempt(mail: InFlightMail): Promise<DeliveryOutcome> {
    const { claimed, attempt } = mail;
    const result = await this.deliver(mail);
    await this.claims.release(mail);
    if (result === 'not needed') {
      await this.outgoing.remove(this.database.autoCommit, claimed);
      return 'done';
    }
    const { failure, answer, redirect } = result;
    if (failure === null) {
      await this.outgoing.finish(this.database.autoCommit, claimed, 'sent', {
        reason: null,
        answer,
        redirect,
      });
      return 'done';
    }
    if (attempt.isStopped && !attempt.isWritten) await this.giveBack(claimed);
    else await this.failed(claimed, failure, { answer, redirect });
    return failure.isOfMessage ? 'refused' : 'unserved';
  }

  private async deliver({ claimed, attempt }: InFlightMail): Promise<DeliveryResult> {
    let token: string | null = null;
    let redirect: RequestedRedirect | null = null;
    try {
      const opened = this.open(claimed);
      redirect = 'redirect' in opened ? opened.redirect : null;
      const composed = await this.composer.compose(claimed, opened);
      if (composed === null) return 'not needed';
      token = 'mail' in composed ? composed.mail.token : null;
      const answer = await ('mail' in composed
        ? this.mails.send(composed.realmId, composed.mail, attempt)
        : this.mails.notify(composed.realmId, composed.notice, attempt));
      return { failure: null, answer: answerWithoutSecrets(answer, token), redirect };
    } catch (error) {
      const failure = error instanceof UnsealError ? new MailFailedError('unsealable', false, true) : error;
      if (!(failure instanceof MailFailedError)) throw failure;
      return { failure, answer: answerWithoutSecrets(failure.answer, token), redirect };
    }
  }

  private open({ id, sealed }: ClaimedMail): OutgoingMail {
    return JSON.parse(
      this.keys.open(sealed, outgoingMailAssociatedData(id)).toString('utf8'),
    ) as OutgoingMail;
  }

  private async giveBack(claimed: ClaimedMail): Promise<void> {
    await this.outgoing.giveBack(this.database.autoCommit, claimed);
    await this.outbox.wakeUp(claimed.id, 0);
  }

  private async failed(
    claimed: ClaimedMail,
    { reason, isFinal }: MailFailedError,
    { answer, redirect }: Omit<FinishedMail, 'reason'>,
  ): Promise<void> {
    const { id, attempt, ageSecs } = claimed;
    if (isFinal || ageSecs > this.timing.giveUpSecs) {
      this.logger.error(`mail ${id} is given up after attempt ${attempt}: ${reason}`);
      await this.outgoing.finish(this.database.autoCommit, claimed, 'failed', { reason, answer, redirect });
      return;
    }
    const delaySecs = mailBackoffSecs(attempt, this.timing);
    this.logger.warn(`mail ${id} could not be sent (attempt ${attempt}, next in ${delaySecs} s): ${reason}`);
    await this.outgoing.postpone(this.database.autoCommit, claimed, delaySecs, { reason, answer });
    await this.outbox.wakeUp(id, delaySecs * 1000 + WAKE_UP_MARGIN_MS);
  }
}
