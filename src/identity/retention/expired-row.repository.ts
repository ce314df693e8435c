import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { AutoCommit } from '../../platform/database/index.js';

/** Each method deletes up to `limit` rows, skips locked ones, and returns how many it deleted. */
@Injectable()
export class ExpiredRowRepository {
  /**
   * Refresh tokens that expired unused, which are refused like unknown ones; and used ones, as soon as their use
   * is `refreshTtlSecs` ago. Until then a second use must be known for what it is.
   */
  async deleteRefreshTokens(handle: AutoCommit, refreshTtlSecs: number, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM refresh_tokens WHERE token_hash IN (
         SELECT token_hash FROM refresh_tokens
         WHERE expires_at <= now() AND (rotated_at IS NULL OR rotated_at <= now() - make_interval(secs => $1))
         LIMIT $2 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [refreshTtlSecs, limit],
    );
    return deleted.length;
  }

  /** Sessions, revoked or expired, without any remaining refresh token. */
  async deleteSessions(handle: AutoCommit, refreshTtlSecs: number, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions session
         WHERE last_refreshed_at <= now() - make_interval(secs => $1)
           AND NOT EXISTS (SELECT FROM refresh_tokens token WHERE token.session_id = session.id)
         LIMIT $2 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [refreshTtlSecs, limit],
    );
    return deleted.length;
  }

  /** One-time tokens, used or not, a day after they expired; until then a refusal can name their account. */
  async deleteOneTimeTokens(handle: AutoCommit, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM one_time_tokens WHERE token_hash IN (
         SELECT token_hash FROM one_time_tokens WHERE expires_at <= now() - interval '1 day'
         LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [limit],
    );
    return deleted.length;
  }

  /** Cooldowns that are over. */
  async deleteMailCooldowns(handle: AutoCommit, cooldownSecs: number, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM mail_cooldowns WHERE address_hash IN (
         SELECT address_hash FROM mail_cooldowns WHERE taken_at <= now() - make_interval(secs => $1)
         LIMIT $2 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [cooldownSecs, limit],
    );
    return deleted.length;
  }

  /** Counts of mails whose day is over. */
  async deleteMailCounts(handle: AutoCommit, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM mail_counts WHERE subject_hash IN (
         SELECT subject_hash FROM mail_counts WHERE since <= now() - interval '1 day'
         LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [limit],
    );
    return deleted.length;
  }
}
