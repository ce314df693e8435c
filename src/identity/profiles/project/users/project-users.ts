import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/index.js';
import { decodeCursor, pageOf, ServiceError } from '../../../../http/index.js';
import type { Page } from '../../../../http/index.js';
import { Accounts } from '../../../accounts/accounts.js';
import { ManagedUsers, OperatorUserRepository } from '../../../managed-accounts/index.js';
import type { OperatorUserQuery, UserAct } from '../../../managed-accounts/index.js';
import { UserRepository } from '../../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../../users/user.repository.js';

/** The users of a project, for the holder of its service key. Users of other projects are not found. */
@Injectable()
export class ProjectUsers {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly listing: OperatorUserRepository,
    private readonly managed: ManagedUsers,
    private readonly accounts: Accounts,
  ) {}

  /** Newest first. */
  async list(
    realmId: RealmId,
    { limit, cursor, email, search }: OperatorUserQuery,
  ): Promise<Page<UserEntity>> {
    const before = decodeCursor(cursor);
    const page = { limit: limit + 1, before };
    const filter = { realmId, emailStart: email ?? null, search: search ?? null };
    const found = await this.listing.list(this.database.reader, filter, page);
    return pageOf(found, limit, ({ id }) => id);
  }

  /** @throws user_not_found */
  async show(realmId: RealmId, userId: string): Promise<UserEntity> {
    return await this.managed.require(this.database.reader, { realm: realmId, userId });
  }

  /** As `UserDisabling.setDisabled`. @throws user_not_found */
  async setDisabled(act: UserAct, disabled: boolean): Promise<UserEntity> {
    const { userId, actor, origin } = act;
    return await this.database.serialTransaction(userId, actor, async (tx) => {
      await this.managed.require(tx, act);
      return await this.accounts.setDisabled(tx, userId, disabled, actor, origin);
    });
  }

  /** @throws user_not_found */
  async delete(act: UserAct): Promise<void> {
    const { userId, actor, origin } = act;
    await this.database.serialTransaction(userId, actor, async (tx) => {
      // A user never moves to another realm, so a check before the lock holds after it.
      await this.managed.require(tx, act);
      if ((await this.users.lockForDeletion(tx, userId)) === null) throw new ServiceError('user_not_found');
      await this.accounts.delete(tx, userId, actor, origin);
    });
  }
}
