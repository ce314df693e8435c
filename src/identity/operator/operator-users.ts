import { Injectable } from '@nestjs/common';
import type { Cause } from '../../audit/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import { Accounts } from '../accounts/accounts.js';
import { UserEntity } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import { searchQuery } from './user-search.js';

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

/** Which users of a realm to list. */
export interface UserFilter {
  readonly realmId: RealmId;
  /** How the address begins. */
  readonly emailStart: string | null;
  /** How words of the address and of the name begin. */
  readonly search: string | null;
}

/** Lists users for the operator of the deployment, or for the service key of a project. */
@Injectable()
export class OperatorUserRepository {
  /** Newest first, before the id `before`. */
  async list(
    handle: Tx | Reader,
    { realmId, emailStart, search }: UserFilter,
    page: { limit: number; before: string | null },
  ): Promise<UserEntity[]> {
    const query = handle.createQueryBuilder(UserEntity, 'account');
    query.where('account.realm_id = :realmId', { realmId });
    if (emailStart !== null) {
      query.andWhere('account.email LIKE :pattern', {
        pattern: `${emailStart.replace(/[\\%_]/g, '\\$&')}%`,
      });
    }
    if (search !== null) {
      const words = searchQuery(realmId, search);
      if (words === null) return [];
      query.andWhere(
        'user_search_words(account.realm_id, account.email, account.metadata) @@ CAST(lower(:words) AS tsquery)',
        { words },
      );
    }
    if (page.before !== null) query.andWhere('account.id < :before', { before: page.before });
    return await query.orderBy('account.id', 'DESC').limit(page.limit).getMany();
  }
}
