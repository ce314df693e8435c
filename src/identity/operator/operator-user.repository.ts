import { Injectable } from '@nestjs/common';
import type { Reader, Tx } from '../../platform/database/index.js';
import { UserEntity } from '../users/user.entity.js';
import type { RealmId } from '../users/user.repository.js';

/** Users as the operator of the deployment sees and switches them. */
@Injectable()
export class OperatorUserRepository {
  /** Newest first, before the id `before`. @param realmId null for all; @param emailStart how the address begins */
  async list(
    handle: Tx | Reader,
    realmId: RealmId | null,
    emailStart: string | null,
    page: { limit: number; before: string | null },
  ): Promise<UserEntity[]> {
    const query = handle.createQueryBuilder(UserEntity, 'account');
    if (realmId !== null) query.andWhere('account.realm_id = :realmId', { realmId });
    if (emailStart !== null) {
      query.andWhere('account.email LIKE :pattern', {
        pattern: `${emailStart.replace(/[\\%_]/g, '\\$&')}%`,
      });
    }
    if (page.before !== null) query.andWhere('account.id < :before', { before: page.before });
    return await query.orderBy('account.id', 'DESC').limit(page.limit).getMany();
  }
}
