import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../../audit/index.js';
import { isUuid } from '../../../platform/crypto/index.js';
import { Database, rows, searchQuery } from '../../../platform/database/index.js';
import type { Reader, SelectText, Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import { Accounts } from '../../accounts/accounts.js';
import { normalizeEmail } from '../../users/email-address.js';
import { UserEntity } from '../../users/user.repository.js';
import type { RealmId } from '../../users/user.repository.js';

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
  async setDisabled(userId: string, disabled: boolean, by: AuditContext): Promise<UserEntity> {
    if (!isUuid(userId)) throw new ServiceError('user_not_found');
    return await this.database.transaction((tx) =>
      this.accounts.setDisabled(tx, userId, disabled, by.actor, by.origin),
    );
  }
}

/**
 * The search stands apart from the order of the list: with it, the planner would rather read users from the newest on until
 * enough of them match, which are all of them where few do.
 */
const SEARCH: SelectText = `SELECT id FROM (
    WITH found AS MATERIALIZED (
      SELECT id, email FROM users WHERE search_words(realm_id, email, metadata) @@ CAST(lower($1) AS tsquery)
    )
    SELECT id, email FROM found
  ) matching
  WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR email LIKE $3)
  ORDER BY id DESC LIMIT $4`;

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
    const emailPattern =
      emailStart === null
        ? null
        : `${(normalizeEmail(emailStart) ?? emailStart).replace(/[\\%_]/g, '\\$&')}%`;
    const query = handle.createQueryBuilder(UserEntity, 'account');
    query.where('account.realm_id = :realmId', { realmId });
    if (search === null) {
      if (emailPattern !== null) query.andWhere('account.email LIKE :emailPattern', { emailPattern });
      if (page.before !== null) query.andWhere('account.id < :before', { before: page.before });
    } else {
      const words = searchQuery(normalizeEmail(search) ?? search, realmId);
      if (words === null) return [];
      const found = await rows<{ id: string }>(handle, SEARCH, [
        words,
        page.before,
        emailPattern,
        page.limit,
      ]);
      query.andWhere('account.id = ANY(:ids)', { ids: found.map(({ id }) => id) });
    }
    return await query.orderBy('account.id', 'DESC').limit(page.limit).getMany();
  }
}
