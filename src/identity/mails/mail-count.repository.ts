import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../platform/database/index.js';

/** The limits that apply to a mail; 0 for no limit. */
export interface MailBounds {
  /** Of kind and recipient. */
  readonly cooldownHash: Buffer;
  readonly intervalSecs: number;
  readonly recipientHash: Buffer;
  readonly mailsPerRecipient: number;
  /** Null where no sender is limited. */
  readonly senderHash: Buffer | null;
  readonly mailsPerSender: number;
}

export type MailBound = 'interval' | 'recipient' | 'sender';

/** Which limit a mail exceeds, and for how long. */
export interface MailExcess {
  readonly bound: MailBound;
  readonly waitSecs: number;
}

/** Counts one more in a window of a day that begins with the first mail, unless `limit` has been reached. */
function countedBy(subject: string, limit: string, after: string): string {
  return `
    INSERT INTO mail_counts AS mails (subject_hash, mails) SELECT ${subject}, 1 FROM ${after}
      WHERE ${subject}::bytea IS NOT NULL AND ${limit}::int > 0
    ON CONFLICT (subject_hash) DO UPDATE SET
      mails = CASE WHEN mails.since <= now() - interval '1 day' THEN 1 ELSE mails.mails + 1 END,
      since = CASE WHEN mails.since <= now() - interval '1 day' THEN now() ELSE mails.since END
      WHERE mails.since <= now() - interval '1 day' OR mails.mails < ${limit}
    RETURNING 1`;
}

/**
 * Common table expressions. `counted` has a row if the mail may be sent, which is then counted. Simultaneous statements
 * wait for each other on the rows of their recipient, in the same order everywhere. Parameters $1 to $6.
 */
export const COUNTED_MAIL = `
  cooldown AS (
    INSERT INTO mail_cooldowns AS cooldown (address_hash) VALUES ($1)
    ON CONFLICT (address_hash) DO UPDATE SET taken_at = now()
      WHERE $2::float8 = 0 OR cooldown.taken_at <= now() - make_interval(secs => $2)
    RETURNING 1
  ), recipient AS (${countedBy('$3', '$4', 'cooldown')}
  ), of_recipient AS (
    SELECT FROM recipient UNION ALL SELECT FROM cooldown WHERE $4::int = 0
  ), sender AS (${countedBy('$5', '$6', 'of_recipient')}
  ), counted AS (
    SELECT FROM sender UNION ALL SELECT FROM of_recipient WHERE $5::bytea IS NULL OR $6::int = 0
  )`;

export function mailBoundParameters(bounds: MailBounds): readonly unknown[] {
  const { cooldownHash, intervalSecs, recipientHash, mailsPerRecipient, senderHash, mailsPerSender } = bounds;
  return [cooldownHash, intervalSecs, recipientHash, mailsPerRecipient, senderHash, mailsPerSender];
}

/**
 * Counts of recent mails by recipient and by sender. Addresses are kept as hashes, including those without an account.
 */
@Injectable()
export class MailCountRepository {
  /** Null when the mail was counted. Otherwise the caller rolls back, since it may have been counted in part. */
  async count(tx: Tx, bounds: MailBounds): Promise<MailExcess | null> {
    const counted = await firstRow<{ isOffCooldown: boolean; isOfRecipient: boolean; isCounted: boolean }>(
      tx,
      `WITH ${COUNTED_MAIL}
       SELECT EXISTS (SELECT FROM cooldown) AS "isOffCooldown", EXISTS (SELECT FROM of_recipient) AS "isOfRecipient",
              EXISTS (SELECT FROM counted) AS "isCounted"`,
      mailBoundParameters(bounds),
    );
    if (counted === null || counted.isCounted) return null;
    if (!counted.isOffCooldown) return await this.cooldownEnds(tx, bounds);
    return counted.isOfRecipient
      ? await this.dayEnds(tx, 'sender', bounds.senderHash)
      : await this.dayEnds(tx, 'recipient', bounds.recipientHash);
  }

  /** Undoes the counts of a mail that was not sent. */
  async giveBack(handle: AutoCommit, { cooldownHash, recipientHash, senderHash }: MailBounds): Promise<void> {
    await this.endInterval(handle, { cooldownHash });
    // One by one, since they are not locked here in the order in which they are counted.
    for (const subjectHash of [recipientHash, senderHash]) {
      await rows(handle, 'UPDATE mail_counts SET mails = mails - 1 WHERE subject_hash = $1 AND mails > 0', [
        subjectHash,
      ]);
    }
  }

  async endInterval(
    handle: Tx | AutoCommit,
    { cooldownHash }: Pick<MailBounds, 'cooldownHash'>,
  ): Promise<void> {
    await rows(handle, 'DELETE FROM mail_cooldowns WHERE address_hash = $1', [cooldownHash]);
  }

  private async cooldownEnds(tx: Tx, { cooldownHash, intervalSecs }: MailBounds): Promise<MailExcess> {
    const found = await firstRow<{ waitSecs: number }>(
      tx,
      `SELECT ceil(extract(epoch FROM taken_at + make_interval(secs => $2) - now()))::int AS "waitSecs"
       FROM mail_cooldowns WHERE address_hash = $1`,
      [cooldownHash, intervalSecs],
    );
    // A mail counted a moment after this transaction began would end a second after the interval.
    const waitSecs = Math.min(found?.waitSecs ?? intervalSecs, intervalSecs);
    return { bound: 'interval', waitSecs: Math.max(waitSecs, 1) };
  }

  private async dayEnds(tx: Tx, bound: MailBound, subjectHash: Buffer | null): Promise<MailExcess> {
    const found = await firstRow<{ waitSecs: number }>(
      tx,
      `SELECT ceil(extract(epoch FROM since + interval '1 day' - now()))::int AS "waitSecs"
       FROM mail_counts WHERE subject_hash = $1`,
      [subjectHash],
    );
    return { bound, waitSecs: Math.max(found?.waitSecs ?? 1, 1) };
  }
}
