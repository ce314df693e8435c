import { Injectable } from '@nestjs/common';
import { CacheInvalidation, InvalidatedCache } from '../../events/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { AccountStateRepository } from './account-state.repository.js';

const MAX_USERS = 10_000;

interface KnownAccount {
  readonly isActive: boolean;
  readonly emailVerified: boolean;
  /** Whether sessions live, by their id, as far as they were asked for; null where tokens outlive their sessions. */
  readonly liveSessions: Map<string, boolean> | null;
}

/**
 * What requests ask of accounts, from memory. An access token outlives its session, but not its account: a disabled or
 * deleted user is refused everywhere as soon as the change is announced. Nor does it outlive sessions that the proof of
 * an address ended.
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
  async admits({ userId, sessionId }: { userId: string; sessionId: string }): Promise<boolean> {
    const { isActive, liveSessions } = await this.find(userId);
    if (!isActive || liveSessions === null) return isActive;
    const known = liveSessions.get(sessionId);
    if (known !== undefined) return known;
    const isLive = await this.accounts.isLive(this.database.reader, userId, sessionId);
    liveSessions.set(sessionId, isLive);
    return isLive;
  }

  /** Whether the account has proven its address, whatever an access token of an earlier moment says. */
  async isProven(userId: string): Promise<boolean> {
    return (await this.find(userId)).emailVerified;
  }

  /** To be called in every transaction that changes what is kept here. */
  async changed(tx: Tx, userId: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'user', id: userId });
  }

  private async find(userId: string): Promise<KnownAccount> {
    return await this.cache.find(
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
