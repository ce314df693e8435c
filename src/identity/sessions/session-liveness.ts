import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { AuditEvent } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstRow } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { UserCaller } from '../../http/index.js';

/** Which session a request comes from. */
export type SessionOfCaller = Pick<UserCaller, 'userId' | 'sessionId'>;

/**
 * `live` has the session's row if it lives. The locks order this with whatever ends the session: either that waits until
 * the change is committed, or the change sees that the session has ended. The user's row first, as everything has it
 * that ends sessions.
 */
export function liveSessionSql(userId: '$1' | '$2', sessionId: '$2' | '$3'): string {
  return `
  account AS (SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE),
  live AS (
    SELECT id, auth_time FROM sessions
    WHERE id = ${sessionId} AND user_id = (SELECT id FROM account) AND revoked_at IS NULL FOR SHARE
  )`;
}

interface Liveness {
  readonly hasAccount: boolean;
  readonly isLive: boolean;
  readonly isRecent: boolean;
}

/**
 * Whether a session is live. Once it has ended, its access token may no longer give rights to others, change the
 * account or end other sessions, even before the token expires (contract section 9.8).
 */
@Injectable()
export class SessionLiveness {
  constructor(
    private readonly audit: AuditTrail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * If so, it does until the transaction ends. In the order of locks it comes after organizations and before everything
   * else.
   */
  async isLive(tx: Tx, session: SessionOfCaller): Promise<boolean> {
    return (await this.read(tx, session)).isLive;
  }

  /** As `isLive`. @throws session_revoked, invalid_access_token when the account no longer exists */
  async require(tx: Tx, session: SessionOfCaller): Promise<void> {
    const { hasAccount, isLive } = await this.read(tx, session);
    if (!isLive) throw new ServiceError(hasAccount ? 'session_revoked' : 'invalid_access_token');
  }

  /**
   * As `require`, and demands a proof of the last ten minutes.
   * @throws session_revoked, invalid_access_token, reauthentication_required
   */
  async requireRecent(tx: Tx, session: SessionOfCaller): Promise<void> {
    const { hasAccount, isLive, isRecent } = await this.read(tx, session);
    if (!isLive) throw new ServiceError(hasAccount ? 'session_revoked' : 'invalid_access_token');
    if (!isRecent) throw new ServiceError('reauthentication_required');
  }

  private async read(tx: Tx, { userId, sessionId }: SessionOfCaller): Promise<Liveness> {
    const found = await firstRow<Liveness>(
      tx,
      `WITH ${liveSessionSql('$1', '$2')}
       SELECT EXISTS (SELECT FROM account) AS "hasAccount", EXISTS (SELECT FROM live) AS "isLive",
              EXISTS (SELECT FROM live WHERE auth_time > now() - make_interval(secs => $3)) AS "isRecent"`,
      [userId, sessionId, this.config.timing.lives.recentProofSecs],
    );
    return found ?? { hasAccount: false, isLive: false, isRecent: false };
  }

  /** Does the work; that a session was refused which had ended goes on record, as this event. */
  async recordingRefusal<Result>(
    event: Omit<AuditEvent, 'details'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'session_revoked')
        await this.audit.appendAlone({ ...event, details: { reason: error.code } });
      throw error;
    }
  }
}
