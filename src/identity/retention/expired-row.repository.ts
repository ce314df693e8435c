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

  /** Sign-ins that no second factor completed in time. */
  async deleteChallenges(handle: AutoCommit, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM second_factor_challenges WHERE token_hash IN (
         SELECT token_hash FROM second_factor_challenges WHERE expires_at <= now()
         LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [limit],
    );
    return deleted.length;
  }

  /** Codes that no application exchanged in time. */
  async deleteSignInCodes(handle: AutoCommit, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM sign_in_codes WHERE code_hash IN (
         SELECT code_hash FROM sign_in_codes WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [limit],
    );
    return deleted.length;
  }

  /** Challenges of passkeys that nobody used in time. */
  async deletePasskeyChallenges(handle: AutoCommit, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM passkey_challenges WHERE challenge_hash IN (
         SELECT challenge_hash FROM passkey_challenges WHERE expires_at <= now()
         LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [limit],
    );
    return deleted.length;
  }

  /** Used challenge tokens, once they have expired by the clock of every instance. */
  async deleteUsedPasskeyTokens(handle: AutoCommit, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM used_passkey_tokens WHERE token_hash IN (
         SELECT token_hash FROM used_passkey_tokens WHERE expires_at <= now() - interval '1 hour'
         LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [limit],
    );
    return deleted.length;
  }

  /** Changes of address that were not confirmed in time. */
  async deleteAddressChanges(handle: AutoCommit, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM address_changes WHERE user_id IN (
         SELECT user_id FROM address_changes WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED
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

  /** Mails that were sent or given up `days` ago. */
  async deleteMailHistory(handle: AutoCommit, days: number, limit: number): Promise<number> {
    const deleted = await rows(
      handle,
      `DELETE FROM mail_history WHERE id IN (
         SELECT id FROM mail_history WHERE finished_at <= now() - make_interval(days => $1)
         LIMIT $2 FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
      [days, limit],
    );
    return deleted.length;
  }
}
