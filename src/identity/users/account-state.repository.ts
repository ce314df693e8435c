import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';

/** Longer than any access token lives (`identity.access_ttl_secs`), with room for clocks that disagree. */
const LONGEST_TOKEN_SECS = 86_400 + 3_600;

/** An account as the guards need it. */
export interface AccountState {
  readonly isActive: boolean;
  readonly emailVerified: boolean;
  /** Whether sessions were ended with their access tokens, of which some might not have expired. */
  readonly sessionsEnded: boolean;
}

/** What decides whether a signed access token still counts. */
@Injectable()
export class AccountStateRepository {
  async find(handle: Tx | Reader, userId: string): Promise<AccountState | null> {
    return await firstRow<AccountState>(
      handle,
      `SELECT disabled_at IS NULL AS "isActive", email_verified AS "emailVerified",
              coalesce(sessions_ended_at > now() - make_interval(secs => $2), false) AS "sessionsEnded"
       FROM users WHERE id = $1`,
      [userId, LONGEST_TOKEN_SECS],
    );
  }

  async isLive(handle: Tx | Reader, userId: string, sessionId: string): Promise<boolean> {
    const live = await rows(
      handle,
      'SELECT FROM sessions WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL',
      [sessionId, userId],
    );
    return live.length === 1;
  }
}
