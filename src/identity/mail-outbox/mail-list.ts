import { Injectable } from '@nestjs/common';
import { firstIdAt } from '../../platform/crypto/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, SelectText, Tx } from '../../platform/database/index.js';
import { redirectOf } from '../redirects/requested-redirect.js';
import type { RedirectColumns, RequestedRedirect } from '../redirects/requested-redirect.js';
import type { RealmId } from '../users/user.repository.js';
import type { MailKind } from './outgoing-mail.repository.js';

export type MailState = 'waiting' | 'sent' | 'failed';

/** A mail of the outbox or of its history. */
export interface ListedMail {
  readonly id: string;
  readonly realmId: RealmId;
  /** Null while it waits for an address without an account. */
  readonly userId: string | null;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly state: MailState;
  readonly attempts: number;
  /** Why the latest attempt failed: a code, or what is wrong with a certificate. */
  readonly reason: string | null;
  /** What the mail server said last. */
  readonly answer: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Null when it is finished, or being sent. */
  readonly nextAttemptAt: Date | null;
}

/** Which mails; null matches all. */
export interface MailFilter {
  readonly realmId: RealmId | null;
  readonly id: string | null;
  readonly state: MailState | null;
  /** How the address begins. */
  readonly to: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** How far the clocks of instances, which make the ids, may be from that of the database. */
const CLOCK_SLACK_MS = 300_000;

const COLUMNS = `id, realm_id AS "realmId", user_id AS "userId", kind, recipient, state, attempts, reason, answer,
  created_at AS "createdAt", finished_at AS "finishedAt", next_attempt_at AS "nextAttemptAt"`;

const MATCHES = `
  ($2::uuid IS NULL OR mail.id < $2) AND ($3::uuid IS NULL OR mail.id >= $3) AND ($4::uuid IS NULL OR mail.id = $4)
  AND ($5::uuid IS NULL OR mail.realm_id = $5) AND ($6::text IS NULL OR mail.recipient LIKE $6)
  AND ($7::timestamptz IS NULL OR mail.created_at >= $7) AND ($8::timestamptz IS NULL OR mail.created_at < $8)`;

const LIST: SelectText = `SELECT ${COLUMNS} FROM (
    (SELECT mail.id, mail.realm_id, account.id AS user_id, mail.kind, mail.recipient, 'waiting' AS state, mail.attempts,
            mail.last_error AS reason, mail.last_answer AS answer, mail.created_at, NULL::timestamptz AS finished_at,
            CASE WHEN mail.attempts = mail.failed_attempt THEN mail.next_attempt_at END AS next_attempt_at
     FROM outgoing_mails mail
       LEFT JOIN users account ON account.realm_id = mail.realm_id AND account.email = mail.recipient
     WHERE ($9::text IS NULL OR $9 = 'waiting') AND ${MATCHES}
     ORDER BY mail.id DESC LIMIT $1)
    UNION ALL
    (SELECT mail.id, mail.realm_id, mail.user_id, mail.kind, mail.recipient, mail.state, mail.attempts, mail.reason,
            mail.answer, mail.created_at, mail.finished_at, NULL AS next_attempt_at
     FROM mail_history mail
     WHERE $9::text IS DISTINCT FROM 'waiting' AND ($9::text IS NULL OR mail.state = $9) AND ${MATCHES}
     ORDER BY mail.id DESC LIMIT $1)
  ) listed ORDER BY id DESC LIMIT $1`;

@Injectable()
export class MailListRepository {
  /** Newest first, before the id `before`. */
  async list(
    handle: Tx | Reader,
    { realmId, id, state, to, since, until }: MailFilter,
    { limit, before }: { readonly limit: number; readonly before: string | null },
  ): Promise<ListedMail[]> {
    const newest = until === null ? null : firstIdAt(new Date(until.getTime() + CLOCK_SLACK_MS));
    const oldest = since === null ? null : firstIdAt(new Date(since.getTime() - CLOCK_SLACK_MS));
    return await rows<ListedMail>(handle, LIST, [
      limit,
      newest === null || (before !== null && before < newest) ? before : newest,
      oldest,
      id,
      realmId,
      to === null ? null : `${to.replace(/[\\%_]/g, '\\$&')}%`,
      since,
      until,
      state,
    ]);
  }

  /** @param realmId null for any */
  async find(handle: Tx | Reader, realmId: RealmId | null, id: string): Promise<ListedMail | null> {
    const filter = { realmId, id, state: null, to: null, since: null, until: null };
    const [mail] = await this.list(handle, filter, { limit: 1, before: null });
    return mail ?? null;
  }

  /** Where the page of a finished mail ended. */
  async redirectOf(handle: Tx | Reader, id: string): Promise<RequestedRedirect | null> {
    const found = await firstRow<RedirectColumns>(
      handle,
      'SELECT redirect_to AS "redirectTo", code_challenge AS "codeChallenge" FROM mail_history WHERE id = $1',
      [id],
    );
    return found === null ? null : redirectOf(found);
  }
}
