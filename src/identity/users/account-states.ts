import { Injectable } from '@nestjs/common';
import { CacheInvalidation, InvalidatedCache, whenResolved } from '../../cache-invalidation/index.js';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { Database, firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';

/** Longer than any access token lives (`identity.access_ttl_secs`), with a margin for clocks that differ. */
const LONGEST_TOKEN_SECS = 86_400 + 3_600;

/** An account as the guards need it. */
export interface AccountState {
  readonly isActive: boolean;
  readonly emailVerified: boolean;
  /** Whether sessions were ended together with their access tokens, some of which may not have expired. */
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

const MAX_USERS = 10_000;

interface KnownAccount {
  readonly isActive: boolean;
  readonly emailVerified: boolean;
  /** Whether sessions live, by id, as far as they were looked up; null where tokens outlive their sessions. */
  readonly liveSessions: Map<string, boolean> | null;
}

/**
 * The state of accounts that requests need, from memory. An access token outlives its session, but not its account: a
 * disabled or deleted user is refused everywhere as soon as the change is announced. Nor does it outlive sessions that
 * ended because the account was disabled or its address was proven by another mail.
 */
@Injectable()
export class AccountStates {
  private readonly cache: InvalidatedCache<KnownAccount>;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountStateRepository,
    private readonly changes: CacheInvalidation,
  ) {
    this.cache = new InvalidatedCache(changes, ['user'], { maxEntries: MAX_USERS });
  }

  /** Whether the access token of this session still stands for its user. */
  isSessionLive({ userId, sessionId }: { userId: string; sessionId: string }): MaybePromise<boolean> {
    return whenResolved(this.find(userId), ({ isActive, liveSessions }) => {
      if (!isActive || liveSessions === null) return isActive;
      return liveSessions.get(sessionId) ?? this.lookUp(liveSessions, userId, sessionId);
    });
  }

  private async lookUp(
    liveSessions: Map<string, boolean>,
    userId: string,
    sessionId: string,
  ): Promise<boolean> {
    const isLive = await this.accounts.isLive(this.database.reader, userId, sessionId);
    liveSessions.set(sessionId, isLive);
    return isLive;
  }

  /** Whether the address is verified now, whatever an older access token claims. */
  isProven(userId: string): MaybePromise<boolean> {
    return whenResolved(this.find(userId), ({ emailVerified }) => emailVerified);
  }

  /** To be called in every transaction that changes what is kept here. */
  async changed(tx: Tx, userId: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'user', id: userId });
  }

  private find(userId: string): MaybePromise<KnownAccount> {
    return this.cache.find(
      userId,
      () => this.read(userId),
      () => [userId],
    );
  }

  private async read(userId: string): Promise<KnownAccount> {
    const found = await this.accounts.find(this.database.reader, userId);
    return {
      isActive: found?.isActive === true,
      emailVerified: found?.emailVerified === true,
      liveSessions: found?.sessionsEnded === true ? new Map() : null,
    };
  }
}
