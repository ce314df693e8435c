import { Inject, Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { accountEvent, ANONYMOUS, AuditTrail, AuthMetrics } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { KeyRing, newId, randomToken, sha256 } from '../../platform/crypto/index.js';
import type { AssociatedData } from '../../platform/crypto/index.js';
import { Database, SerialByKey } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { ErrorCode, Origin } from '../../http/index.js';
import { AccessTokenSigner } from '../token-signers/token-signers.js';
import type { AccessToken, Authentication } from '../token-signers/token-signers.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { SessionRepository } from './session.repository.js';
import type { UsedRefreshToken } from './session.repository.js';

/**
 * Seals a refresh token's successor so that only the token itself opens it: a lost answer can be repeated to the holder
 * of the old token, while the database alone reveals nothing usable.
 */
function ringOf(token: string): KeyRing {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'service refresh successor', 32));
  return new KeyRing([key.toString('base64')]);
}

/** The key derives from the token, which is unique, so there is no row or tenant to bind it to. */
const ASSOCIATED_DATA: AssociatedData = {
  tenantId: null,
  table: 'refresh_tokens',
  column: 'sealed_successor',
  row: '',
};

export function sealSuccessor(token: string, successor: string): Buffer {
  return ringOf(token).seal(successor, ASSOCIATED_DATA);
}

export function openSuccessor(token: string, sealed: Buffer): string {
  return ringOf(token).open(sealed, ASSOCIATED_DATA).toString('utf8');
}

/** A session's tokens, and whose they are. */
export interface TokenPair {
  readonly user: UserEntity;
  readonly accessToken: AccessToken;
  readonly refreshToken: string;
}

/** An open session whose tokens have not been signed yet: see `issue`. */
export interface OpenedSession {
  readonly user: UserEntity;
  readonly sessionId: string;
  readonly refreshToken: string;
  readonly authentication: Authentication;
}

/** What opens a session: the proof, as the audit trail names it, and what tokens say of it. */
export interface Proven extends Omit<Authentication, 'authTime'> {
  readonly proof: string;
}

interface Presented {
  readonly token: string;
  readonly tokenHash: Buffer;
  readonly graceSecs: number;
}

/**
 * The outcome of a refresh. A refusal that writes is a value, so that the transaction commits before the caller gets
 * it.
 */
type Refreshed = OpenedSession | { refusal: ErrorCode };

/** Sessions. They are opened with a proven identity and kept alive by single-use refresh tokens. */
@Injectable()
export class Sessions {
  private readonly serial = new SerialByKey();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly sessions: SessionRepository,
    private readonly accessTokens: AccessTokenSigner,
    private readonly audit: AuditTrail,
    private readonly metrics: AuthMetrics,
  ) {}

  /**
   * Opens a session for a user whose identity was just proven. `issue` signs its tokens after the commit.
   * @returns null when the account was disabled, deleted or given another password or a second factor meanwhile, or when
   *   its realm demands a second factor
   */
  async open(tx: Tx, user: UserEntity, origin: Origin, proven: Proven): Promise<OpenedSession | null> {
    const { proof, amr, aal } = proven;
    const sessionId = newId();
    const refreshToken = randomToken();
    const begun = await this.sessions.open(tx, {
      id: sessionId,
      userId: user.id,
      provenHash: user.passwordHash,
      origin,
      tokenHash: sha256(refreshToken),
      refreshTtlSecs: this.config.identity.refreshTtlSecs,
      amr,
      aal,
    });
    if (begun === null) return null;
    const { authTime, isFirstOfDay } = begun;
    await this.audit.append(
      tx,
      accountEvent(user.id, {
        action: 'session.opened',
        target: { type: 'session', id: sessionId },
        origin,
        details: { proof, aal },
        events: isFirstOfDay ? [{ type: 'user.signed_in', data: { user_id: user.id } }] : [],
      }),
    );
    return { user, sessionId, refreshToken, authentication: { authTime, amr, aal } };
  }

  /**
   * Signs the tokens of a session. Not inside a transaction: the signer may have to query the database, and waiting for
   * a second connection while holding one can deadlock.
   */
  async issue({ user, sessionId, refreshToken, authentication }: OpenedSession): Promise<TokenPair> {
    const accessToken = await this.accessTokens.issue(user, { sessionId, ...authentication });
    return { user, refreshToken, accessToken };
  }

  /**
   * Exchanges a refresh token of the realm for a new pair, once (RFC 9700, section 4.14.2).
   * @param graceSecs for how long the same use may be repeated, `identity.refresh_reuse_grace_secs` unless given; both
   *   the use and its repetition have to permit it
   * @throws invalid_refresh_token, refresh_token_reused, session_revoked
   */
  async refresh(
    realmId: RealmId,
    token: string,
    origin: Origin,
    graceSecs = this.config.identity.refreshReuseGraceSecs,
  ): Promise<TokenPair> {
    const presented = { token, tokenHash: sha256(token), graceSecs };
    return await this.metrics.counted('refresh', async () => {
      const refreshed = await this.serial.run(
        presented.tokenHash.toString('base64'),
        async () =>
          (await this.exchange(realmId, presented)) ??
          (await this.database.transaction((tx) => this.explain(tx, realmId, presented, origin))),
      );
      if ('refusal' in refreshed) throw new ServiceError(refreshed.refusal);
      return await this.issue(refreshed);
    });
  }

  private async exchange(
    realmId: RealmId,
    { token, tokenHash, graceSecs }: Presented,
  ): Promise<OpenedSession | null> {
    const { refreshTtlSecs } = this.config.identity;
    const refreshToken = randomToken();
    const session = await this.sessions.refresh(this.database.autoCommit, {
      realmId,
      tokenHash,
      successorHash: sha256(refreshToken),
      refreshTtlSecs,
      sealedSuccessor: graceSecs > 0 ? sealSuccessor(token, refreshToken) : null,
    });
    if (session === null) return null;
    const { sessionId, authTime, amr, aal, ...user } = session;
    return { user, sessionId, refreshToken, authentication: { authTime, amr, aal } };
  }

  /** Why a token was refused. A used token ends its session, because one of its two holders must have stolen it. */
  private async explain(
    tx: Tx,
    realmId: RealmId,
    { token, tokenHash, graceSecs }: Presented,
    origin: Origin,
  ): Promise<Refreshed> {
    const spent = await this.sessions.findUsed(tx, tokenHash, realmId);
    if (spent === null) return { refusal: 'invalid_refresh_token' };
    if (spent.rotatedMsAgo === null) {
      const hasEnded = spent.sessionEnded && !spent.isExpired;
      return { refusal: hasEnded ? 'session_revoked' : 'invalid_refresh_token' };
    }
    if (mayRepeat(spent, graceSecs)) {
      // Locks the session, so that a revocation comes either before or after.
      const session = await this.sessions.touch(tx, spent.sessionId);
      if (session === null) return { refusal: 'session_revoked' };
      const refreshToken = openSuccessor(token, spent.sealedSuccessor as Buffer);
      const { authTime, amr, aal, ...user } = session;
      return { user, sessionId: spent.sessionId, refreshToken, authentication: { authTime, amr, aal } };
    }
    await this.sessions.revoke(tx, spent.userId, spent.sessionId, 'refresh_token_reused');
    await this.audit.append(
      tx,
      accountEvent(spent.userId, {
        actor: ANONYMOUS,
        action: 'session.refresh_token_reused',
        target: { type: 'session', id: spent.sessionId },
        origin,
      }),
    );
    return { refusal: 'refresh_token_reused' };
  }
}

function mayRepeat(spent: UsedRefreshToken, graceSecs: number): boolean {
  return (
    spent.sealedSuccessor !== null &&
    !spent.sessionEnded &&
    spent.rotatedMsAgo !== null &&
    spent.rotatedMsAgo < graceSecs * 1000
  );
}
