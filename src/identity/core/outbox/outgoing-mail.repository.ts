import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { OneStatement, Tx } from '../../../platform/database/index.js';
import { COUNTED_MAIL, mailBoundParameters } from './mail-count.repository.js';
import type { MailBounds } from './mail-count.repository.js';
import type { ClaimedMail } from './outgoing-mail.js';

/** How long a claim keeps others away: longer than any attempt lasts, so that only the dead lose theirs. */
const LEASE_SECS = 120;

@Injectable()
export class OutgoingMailRepository {
  /** Counts the mail and inserts it, unless that is one too many. */
  async insertWithin(
    handle: Tx | OneStatement,
    id: string,
    sealed: Buffer,
    bounds: MailBounds,
  ): Promise<boolean> {
    const inserted = await rows(
      handle,
      `WITH ${COUNTED_MAIL}
       INSERT INTO outgoing_mails (id, sealed_message) SELECT $7, $8 FROM counted
       RETURNING id`,
      [...mailBoundParameters(bounds), id, sealed],
    );
    return inserted.length === 1;
  }

  /** Takes on the mail named, or the one that is due the longest; null when it is not due or taken already. */
  async claim(handle: OneStatement, id: string | null): Promise<ClaimedMail | null> {
    return await firstRow<ClaimedMail>(
      handle,
      `UPDATE outgoing_mails SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
       WHERE id = (
         SELECT id FROM outgoing_mails
         WHERE next_attempt_at <= now() AND ($1::uuid IS NULL OR id = $1)
         ORDER BY next_attempt_at LIMIT 1
         FOR UPDATE SKIP LOCKED
       )
       RETURNING id, sealed_message AS sealed, attempts AS attempt,
                 extract(epoch FROM now() - created_at)::float8 AS "ageSecs"`,
      [id, LEASE_SECS],
    );
  }

  /** Forgets a mail that is done with, if the claim is still ours. */
  async remove(handle: OneStatement, { id, attempt }: ClaimedMail): Promise<void> {
    await rows(handle, 'DELETE FROM outgoing_mails WHERE id = $1 AND attempts = $2', [id, attempt]);
  }

  /** Gives a mail back to be tried again later, if the claim is still ours. */
  async postpone(
    handle: OneStatement,
    { id, attempt }: ClaimedMail,
    delaySecs: number,
    reason: string,
  ): Promise<void> {
    await rows(
      handle,
      `UPDATE outgoing_mails SET next_attempt_at = now() + make_interval(secs => $3), last_error = $4
       WHERE id = $1 AND attempts = $2`,
      [id, attempt, delaySecs, reason],
    );
  }
}
