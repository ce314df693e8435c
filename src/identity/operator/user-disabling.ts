import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { ChangeFeed } from '../../events/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { afterCommit, Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { AccountStates, UserRepository } from '../core/index.js';
import type { UserEntity } from '../core/index.js';
import { OperatorUserRepository } from './operator-user.repository.js';

/** Shuts accounts out, and lets them in again. */
@Injectable()
export class UserDisabling {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly operatorUsers: OperatorUserRepository,
    private readonly accounts: AccountStates,
    private readonly changes: ChangeFeed,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Once this has answered, no session of a disabled user lives or opens, and every instance refuses its access
   * tokens within a second. Saying again what holds already changes nothing. @throws user_not_found
   */
  async setDisabled(userId: string, disabled: boolean, origin: Origin | null): Promise<UserEntity> {
    if (!isUuid(userId)) throw new ServiceError('user_not_found');
    return await this.database.transaction(async (tx) => {
      if (await this.operatorUsers.setDisabled(tx, userId, disabled)) {
        const sessions = disabled ? await this.operatorUsers.revokeSessions(tx, userId, 'user_disabled') : 0;
        await this.audit.append(tx, {
          actor: { type: 'operator', id: null },
          action: disabled ? 'user.disabled' : 'user.enabled',
          target: { type: 'user', id: userId },
          orgId: null,
          userId,
          origin,
          details: disabled ? { sessions_revoked: sessions } : {},
        });
        await this.changes.announce(tx, { kind: 'user', id: userId });
        await this.changes.announce(tx, { kind: 'membership', id: userId });
        afterCommit(tx, () => {
          this.accounts.forget(userId);
        });
      }
      const user = await this.users.findById(tx, userId);
      if (user === null) throw new ServiceError('user_not_found');
      return user;
    });
  }
}
