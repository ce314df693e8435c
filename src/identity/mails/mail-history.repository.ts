import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto/index.js';
import { rows } from '../../platform/database/index.js';
import type { AutoCommit } from '../../platform/database/index.js';
import type { RealmId } from '../users/user.repository.js';

/** How the sending of a mail ended, or its latest attempt. */
export interface MailOutcome {
  /** A code, or what is wrong with a certificate; null when it was sent. */
  readonly reason: string | null;
  /** What the mail server said; it may name the recipient. */
  readonly answer: string | null;
}

/** An invitation that was mailed, or should have been. */
export interface MailedInvitation {
  readonly id: string;
  readonly realmId: RealmId;
  readonly recipient: string;
  /** The account of the address as the mail was composed; null where there was none. */
  readonly accountId: string | null;
  /** How long the mail server took. */
  readonly tookMs: number;
}

/** What became of mails that were sent while their request waited, and so were never in the outbox. */
@Injectable()
export class MailHistoryRepository {
  /**
   * The entry is deleted with the invitation, and with the account of the address, which is locked first, as its deletion
   * does. There is none where the account is gone already.
   * @throws a violation of the foreign key where the invitation is gone already, with its organization
   */
  async insertInvitation(
    handle: AutoCommit,
    { id, realmId, recipient, accountId, tookMs }: MailedInvitation,
    { reason, answer }: MailOutcome,
  ): Promise<void> {
    await rows(
      handle,
      `WITH account AS MATERIALIZED (
         SELECT id FROM users WHERE id = $8 FOR KEY SHARE
       )
       INSERT INTO mail_history
         (id, realm_id, user_id, invitation_id, kind, recipient, state, attempts, reason, answer, created_at,
          finished_at)
       SELECT $1, $2, $8, $3, 'invitation', $4, CASE WHEN $5::text IS NULL THEN 'sent' ELSE 'failed' END, 1, $5, $6,
              now() - make_interval(secs => $7::float8 / 1000), now()
       WHERE $8::uuid IS NULL OR EXISTS (SELECT FROM account)`,
      [newId(), realmId, id, recipient, reason, answer, tookMs, accountId],
    );
  }
}
