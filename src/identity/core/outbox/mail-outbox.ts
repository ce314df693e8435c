import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import { KeyRing, newId, sha256 } from '../../../platform/crypto/index.js';
import { afterCommit, Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { MAIL_QUEUE, QueueConnection } from '../../../platform/queue/index.js';
import type { MailHint } from '../../../platform/queue/index.js';
import type { OutgoingMail } from './outgoing-mail.js';
import { outgoingMailSealContext } from './outgoing-mail.js';
import { OutgoingMailRepository } from './outgoing-mail.repository.js';

/** Mail on its way out: a sealed row that outlives any outage, and a hint to the workers to look at it. */
@Injectable()
export class MailOutbox {
  constructor(
    private readonly database: Database,
    private readonly mails: OutgoingMailRepository,
    private readonly keys: KeyRing,
    @InjectQueue(MAIL_QUEUE) private readonly queue: Queue<MailHint>,
    private readonly connection: QueueConnection,
  ) {}

  /** Sends the mail if and only if `tx` commits. */
  async enqueue(tx: Tx, mail: OutgoingMail): Promise<void> {
    const id = newId();
    await this.mails.insert(tx, id, this.seal(id, mail));
    afterCommit(tx, () => this.hint(id, 0));
  }

  /**
   * Sends a mail that anyone can ask for: at most one in 60 s for each turn, across instances. One
   * statement, whatever becomes of it.
   * @param turn names purpose and address
   */
  async enqueueInTurn(mail: OutgoingMail, turn: string): Promise<void> {
    const id = newId();
    const sealed = this.seal(id, mail);
    const isTaken = await this.mails.insertInTurn(this.database.oneStatement, id, sealed, sha256(turn));
    if (isTaken) await this.hint(id, 0);
  }

  /** Tells the workers of a mail that is, or will be, due. The sweep finds what this fails to tell. */
  async hint(mailId: string, delayMs: number): Promise<void> {
    await this.connection.hint(() => this.queue.add({ mailId }, delayMs > 0 ? { delay: delayMs } : {}));
  }

  private seal(id: string, mail: OutgoingMail): Buffer {
    return this.keys.seal(JSON.stringify(mail), outgoingMailSealContext(id));
  }
}
