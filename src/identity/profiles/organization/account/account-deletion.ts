import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../../../audit/index.js';
import { Database } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../http/index.js';
import type { ErrorCode, Origin } from '../../../../http/index.js';
import { Accounts } from '../../../accounts/accounts.js';
import { PasswordProof } from '../../../guessing/password-guesses.js';
import { SessionLiveness } from '../../../sessions/session-liveness.js';
import type { SessionOfCaller } from '../../../sessions/session-liveness.js';
import { UserRepository } from '../../../users/user.repository.js';
import { MembershipRemoval } from '../organizations.js';

const RECORDED: ReadonlySet<ErrorCode> = new Set(['last_owner', 'session_revoked']);

/** Deletes accounts at the request of their users. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly database: Database,
    private readonly proof: PasswordProof,
    private readonly memberships: MembershipRemoval,
    private readonly users: UserRepository,
    private readonly accounts: Accounts,
    private readonly liveness: SessionLiveness,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Deletes the account with its sessions and memberships.
   * @throws wrong_password, last_owner, session_revoked, overloaded
   */
  async delete(caller: SessionOfCaller, password: string, origin: Origin): Promise<void> {
    const { userId } = caller;
    const proven = await this.proof.require(userId, password, { action: 'user.deletion_refused', origin });
    try {
      // Does not wait in the lines of the organizations: that would hold a place in one line while waiting in another,
      // which the same caller may have filled.
      await this.database.serialTransaction(userId, { type: 'user', id: userId }, async (tx) => {
        await this.memberships.removeFromAll(tx, userId, origin);
        const user = await this.users.lockForDeletion(tx, userId);
        if (user === null) throw new ServiceError('invalid_access_token');
        await this.liveness.require(tx, caller);
        // Changed between the proof and the lock: what was proven is a former password.
        if (user.passwordHash !== proven.passwordHash) throw new ServiceError('wrong_password');
        await this.accounts.delete(tx, userId, { type: 'user', id: userId }, origin);
      });
    } catch (error) {
      if (error instanceof ServiceError && RECORDED.has(error.code))
        await this.recordRefusal(userId, error.code, origin);
      throw error;
    }
  }

  private async recordRefusal(userId: string, reason: ErrorCode, origin: Origin): Promise<void> {
    await this.audit.appendAlone(
      accountEvent(userId, { action: 'user.deletion_refused', origin, details: { reason } }),
    );
  }
}
