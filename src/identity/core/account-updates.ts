import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { demandStorableMetadata, mergePatch } from './metadata.js';
import type { Metadata } from './metadata.js';
import { NewPassword } from './new-password.js';
import { PasswordProof } from './password-proof.js';
import { UserRepository } from './user.repository.js';

/** What users change of their own account. Absent parts stay as they are. */
export interface AccountPatch {
  /** A JSON merge patch (RFC 7396). */
  readonly metadata?: Metadata;
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
    private readonly audit: AuditTrail,
  ) {}

  /**
   * All of the patch or nothing. A new password ends every session but the one that asks.
   * @throws validation_failed, weak_password, wrong_password, rate_limited, overloaded, invalid_access_token when the account is gone
   */
  async update(
    caller: { userId: string; sessionId: string },
    patch: AccountPatch,
    origin: Origin,
  ): Promise<void> {
    const password = await this.hashed(caller.userId, patch.password, origin);
    await this.database.transactionInTurn(caller.userId, async (tx) => {
      const user = await this.users.lock(tx, caller.userId);
      if (user === null || user.disabledAt !== null) throw new ServiceError('invalid_access_token');
      if (password !== null) {
        // Changed between the proof and the lock: the proof is of a password that is no more.
        if (user.passwordHash !== password.provenHash) throw new ServiceError('wrong_password');
        const occasion = { action: 'user.password_changed', keptSessionId: caller.sessionId, origin };
        await this.newPassword.set(tx, user, password.wantedHash, occasion);
      }
      if (patch.metadata !== undefined) {
        const metadata = mergePatch(user.metadata, patch.metadata) as Metadata;
        demandStorableMetadata(metadata);
        await this.users.setMetadata(tx, user.id, metadata);
        await this.audit.append(tx, {
          actor: { type: 'user', id: user.id },
          action: 'user.metadata_changed',
          target: { type: 'user', id: user.id },
          orgId: null,
          userId: user.id,
          origin,
          details: { fields: Object.keys(patch.metadata).slice(0, 100) },
        });
      }
    });
  }

  /** One Argon2 computation for the proof and, where that holds, one for the new hash. */
  private async hashed(
    userId: string,
    password: AccountPatch['password'],
    origin: Origin,
  ): Promise<{ provenHash: string; wantedHash: string } | null> {
    if (password === undefined) return null;
    this.newPassword.demand(password.wanted);
    const { passwordHash } = await this.proof.demand(userId, password.current, {
      action: 'user.password_change_refused',
      origin,
    });
    return { provenHash: passwordHash, wantedHash: await this.newPassword.hash(password.wanted, origin) };
  }
}
