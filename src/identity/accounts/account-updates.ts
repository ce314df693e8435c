import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { fieldsOf } from '../../platform/json/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { PasswordProof } from '../guessing/password-guesses.js';
import { NewPassword } from '../passwords/new-password.js';
import { SessionLiveness } from '../sessions/session-liveness.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { mergePatch, requireStorableMetadata } from '../users/metadata.js';
import type { Metadata } from '../users/metadata.js';
import { UserRepository } from '../users/user.repository.js';

/** What users can change in their own account. Absent parts stay as they are. */
export interface AccountPatch {
  /** A JSON merge patch (RFC 7396). */
  readonly metadata?: Metadata;
  /** A language tag in its canonical form, or null for none. */
  readonly locale?: string | null;
  readonly password?: { readonly current: string; readonly wanted: string };
}

/** Changes of an account by its user. */
@Injectable()
export class AccountUpdates {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly proof: PasswordProof,
    private readonly newPassword: NewPassword,
    private readonly liveness: SessionLiveness,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Applies the whole patch or none of it. A new password ends every session except the caller's.
   * @throws validation_failed, weak_password, wrong_password, rate_limited, overloaded, session_revoked,
   *   invalid_access_token when the account no longer exists
   */
  async update(caller: SessionOfCaller, patch: AccountPatch, origin: Origin): Promise<void> {
    const { userId } = caller;
    const password = await this.hashed(userId, patch.password, origin);
    const refusal = accountEvent(userId, { action: 'user.change_refused', origin });
    await this.liveness.recordingRefusal(refusal, () =>
      this.database.serialTransaction(userId, refusal.actor, async (tx) => {
        const user = await this.users.lock(tx, userId);
        if (user === null || user.disabledAt !== null) throw new ServiceError('invalid_access_token');
        await this.liveness.require(tx, caller);
        if (password !== null) {
          // Changed between the proof and the lock: what was proven is a former password.
          if (user.passwordHash !== password.provenHash) throw new ServiceError('wrong_password');
          const occasion = { action: 'user.password_changed', keptSessionId: caller.sessionId, origin };
          await this.newPassword.set(tx, user, password.wantedHash, occasion);
        }
        if (patch.locale !== undefined && patch.locale !== user.locale) {
          await this.users.setLocale(tx, user.id, patch.locale);
          const details = { locale: patch.locale };
          await this.audit.append(
            tx,
            accountEvent(userId, { action: 'user.locale_changed', origin, details }),
          );
        }
        if (patch.metadata !== undefined) {
          const metadata = mergePatch(user.metadata, patch.metadata) as Metadata;
          requireStorableMetadata(metadata);
          await this.users.setMetadata(tx, user.id, metadata);
          const details = { fields: [...fieldsOf(patch.metadata).keys()].slice(0, 100) };
          await this.audit.append(
            tx,
            accountEvent(userId, { action: 'user.metadata_changed', origin, details }),
          );
        }
      }),
    );
  }

  /** One Argon2 computation for the proof and, where that holds, one for the new hash. */
  private async hashed(
    userId: string,
    password: AccountPatch['password'],
    origin: Origin,
  ): Promise<{ provenHash: string; wantedHash: string } | null> {
    if (password === undefined) return null;
    this.newPassword.require(password.wanted);
    const { passwordHash } = await this.proof.require(userId, password.current, {
      action: 'user.password_change_refused',
      origin,
    });
    return { provenHash: passwordHash, wantedHash: await this.newPassword.hash(password.wanted, origin) };
  }
}
