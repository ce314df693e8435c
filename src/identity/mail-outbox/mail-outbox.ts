import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import { KeyRing, newId } from '../../platform/crypto/index.js';
import { afterCommit, Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { QueueConnection } from '../../platform/queue/index.js';
import { MailLimits } from '../mails/mail-limits.js';
import type { MailUse } from '../mails/mail-limits.js';
import { kindOf, outgoingMailAssociatedData, OutgoingMailRepository } from './outgoing-mail.repository.js';
import type { NewOutgoingMail, OutgoingMail } from './outgoing-mail.repository.js';

/** The Bull queue of wake-ups. It carries only ids; the mails are in the database. */
export const MAIL_QUEUE = 'mails';

/** "Look at this outgoing mail." It may be lost, doubled or late without harm. */
export interface MailWakeUp {
  readonly mailId: string;
}

/** Outgoing mail: a sealed row that survives any outage, and a wake-up for the workers. */
@Injectable()
export class MailOutbox {
  constructor(
    private readonly database: Database,
    private readonly mails: OutgoingMailRepository,
    private readonly limits: MailLimits,
    private readonly keys: KeyRing,
    @InjectQueue(MAIL_QUEUE) private readonly queue: Queue<MailWakeUp>,
    private readonly connection: QueueConnection,
  ) {}

  /**
   * Enqueues a mail if the limits allow it, across instances; otherwise drops it, and the caller cannot tell the
   * difference. One statement in both cases.
   * @param tx where given, the mail is sent if and only if it commits
   */
  async enqueueWithinLimits(mail: OutgoingMail, use: MailUse, tx: Tx | null = null): Promise<void> {
    const id = newId();
    const handle = tx ?? this.database.autoCommit;
    const bounds = this.limits.boundsOf(use);
    if (!(await this.mails.insertWithin(handle, this.rowOf(id, mail, use), bounds))) return;
    if (tx === null) await this.wakeUp(id, 0);
    else afterCommit(tx, () => this.wakeUp(id, 0));
  }

  /**
   * Enqueues a mail whose refusal the sender may learn of. It is sent if and only if `tx` commits. To be called last,
   * since the recipient's count is locked until then.
   * @returns its id
   * @throws rate_limited
   */
  async enqueueOrRefuse(tx: Tx, mail: OutgoingMail, use: MailUse): Promise<string> {
    const id = newId();
    await this.limits.count(tx, use);
    await this.mails.insertMail(tx, this.rowOf(id, mail, use));
    afterCommit(tx, () => this.wakeUp(id, 0));
    return id;
  }

  /** Sends a mail now that waits for its next attempt, when `tx` commits. False when it is being sent, or is finished. */
  async makeDue(tx: Tx, mailId: string): Promise<boolean> {
    if (!(await this.mails.makeDue(tx, mailId))) return false;
    afterCommit(tx, () => this.wakeUp(mailId, 0));
    return true;
  }

  /** Wakes the workers for a mail that is due, or will be. The sweep finds mails whose wake-up is lost. */
  async wakeUp(mailId: string, delayMs: number): Promise<void> {
    await this.connection.addWakeUp(() => this.queue.add({ mailId }, delayMs > 0 ? { delay: delayMs } : {}));
  }

  private rowOf(id: string, mail: OutgoingMail, { realmId, email }: MailUse): NewOutgoingMail {
    const sealed = this.keys.seal(JSON.stringify(mail), outgoingMailAssociatedData(id));
    return { id, realmId, kind: kindOf(mail), recipient: email, sealed };
  }
}
