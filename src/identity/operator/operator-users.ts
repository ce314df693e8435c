import { Injectable } from '@nestjs/common';
import type { Cause } from '../../audit/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import { Accounts } from '../accounts/accounts.js';
import { OPERATOR_REALM, UserEntity } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';

/** Disables and enables accounts. */
@Injectable()
export class UserDisabling {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
  ) {}

  /**
   * When this returns, a disabled user has no session and can open none, and every instance refuses the user's access
   * tokens within a second. Repeating it changes nothing. @throws user_not_found
   */
  async setDisabled(userId: string, disabled: boolean, by: Cause): Promise<UserEntity> {
    if (!isUuid(userId)) throw new ServiceError('user_not_found');
    return await this.database.transaction((tx) =>
      this.accounts.setDisabled(tx, userId, disabled, by.actor, by.origin),
    );
  }
}

/** Lists users for the operator of the deployment, or for the service key of a project. */
@Injectable()
export class OperatorUserRepository {
  /** Newest first, before the id `before`. @param realmId null for all users, which operators' own accounts are not; @param emailStart how the address begins */
  async list(
    handle: Tx | Reader,
    realmId: RealmId | null,
    emailStart: string | null,
    page: { limit: number; before: string | null },
  ): Promise<UserEntity[]> {
    const query = handle.createQueryBuilder(UserEntity, 'account');
    if (realmId !== null) query.andWhere('account.realm_id = :realmId', { realmId });
    else query.andWhere('account.realm_id <> :apart', { apart: OPERATOR_REALM });
    if (emailStart !== null) {
      query.andWhere('account.email LIKE :pattern', {
        pattern: `${emailStart.replace(/[\\%_]/g, '\\$&')}%`,
      });
    }
    if (page.before !== null) query.andWhere('account.id < :before', { before: page.before });
    return await query.orderBy('account.id', 'DESC').limit(page.limit).getMany();
  }
}
