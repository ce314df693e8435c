import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto/index.js';
import { rows } from '../../platform/database/index.js';
import type { AutoCommit } from '../../platform/database/index.js';
import type { RealmId } from '../users/user.repository.js';
import type { MailOutcome } from './outgoing-mail.repository.js';

/** What became of mails that were sent while their request waited, and so were never in the outbox. */
@Injectable()
export class MailHistoryRepository {
  /** The entry is deleted with the invitation. One that is gone already, with its organization, gets none. */
  async insertOfInvitation(
    handle: AutoCommit,
    realmId: RealmId,
    invitationId: string,
    { reason, answer }: MailOutcome,
  ): Promise<void> {
    await rows(
      handle,
      `INSERT INTO mail_history
         (id, realm_id, invitation_id, kind, recipient, state, attempts, reason, answer, created_at, finished_at)
       SELECT $1, $2, id, 'invitation', email, CASE WHEN $4::text IS NULL THEN 'sent' ELSE 'failed' END, 1, $4, $5,
              created_at, now()
       FROM invitations WHERE id = $3 FOR KEY SHARE`,
      [newId(), realmId, invitationId, reason, answer],
    );
  }
}
