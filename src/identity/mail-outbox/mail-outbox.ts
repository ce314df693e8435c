import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import { KeyRing, newId } from '../../platform/crypto/index.js';
import { afterCommit, Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { QueueConnection } from '../../platform/queue/index.js';
import { MailLimits } from './mail-limits.js';
import type { MailUse } from './mail-limits.js';
import { outgoingMailPlace, OutgoingMailRepository } from './outgoing-mail.repository.js';
import type { OutgoingMail } from './outgoing-mail.repository.js';

/** The Bull queue of wake-ups. It carries only ids; the mails are in the database. */
export const MAIL_QUEUE = 'mails';

/** "Look at this outgoing mail." It may be lost, doubled or late without harm. */
export interface MailWakeUp {
  readonly mailId: string;
}

/** Mail on its way out: a sealed row that outlives any outage, and a hint to the workers to look at it. */
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
   * Sends a mail if its recipient had few enough, across instances; otherwise it is dropped, and whoever asks cannot
   * tell. One statement, whatever becomes of it.
   * @param tx where given, the mail is sent if and only if it commits
   */
  async enqueueWithinLimits(mail: OutgoingMail, use: MailUse, tx: Tx | null = null): Promise<void> {
    const id = newId();
    const handle = tx ?? this.database.autoCommit;
    const bounds = this.limits.boundsOf(use);
    const row = { id, realmId: use.realmId, sealed: this.seal(id, mail) };
    if (!(await this.mails.insertWithin(handle, row, bounds))) return;
    if (tx === null) await this.hint(id, 0);
    else afterCommit(tx, () => this.hint(id, 0));
  }

  /** Tells the workers of a mail that is, or will be, due. The sweep finds what this fails to tell. */
  async hint(mailId: string, delayMs: number): Promise<void> {
    await this.connection.addWakeUp(() => this.queue.add({ mailId }, delayMs > 0 ? { delay: delayMs } : {}));
  }

  private seal(id: string, mail: OutgoingMail): Buffer {
    return this.keys.seal(JSON.stringify(mail), outgoingMailPlace(id));
  }
}
