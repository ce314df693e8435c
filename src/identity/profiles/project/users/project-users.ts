import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../../audit/index.js';
import { isUuid } from '../../../../platform/crypto/index.js';
import { Database } from '../../../../platform/database/index.js';
import type { Reader, Tx } from '../../../../platform/database/index.js';
import { decodeCursor, pageOf, ServiceError } from '../../../../http/index.js';
import type { Origin, Page } from '../../../../http/index.js';
import { Accounts } from '../../../accounts/accounts.js';
import { OperatorUserRepository } from '../../../operator/index.js';
import type { OperatorUserQuery } from '../../../operator/index.js';
import { UserRepository } from '../../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../../users/user.repository.js';

/** A change of a user of a project. */
export interface UserAct {
  readonly realmId: RealmId;
  readonly userId: string;
  readonly actor: Actor;
  readonly origin: Origin;
}

/** The users of a project, for the holder of its service key. Users of other projects are not found. */
@Injectable()
export class ProjectUsers {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly listing: OperatorUserRepository,
    private readonly accounts: Accounts,
  ) {}

  /** Newest first. */
  async list(realmId: RealmId, { limit, cursor, email }: OperatorUserQuery): Promise<Page<UserEntity>> {
    const before = decodeCursor(cursor);
    const page = { limit: limit + 1, before };
    const found = await this.listing.list(this.database.reader, realmId, email ?? null, page);
    return pageOf(found, limit, ({ id }) => id);
  }

  /** @throws user_not_found */
  async show(realmId: RealmId, userId: string): Promise<UserEntity> {
    return await this.require(this.database.reader, realmId, userId);
  }

  /** As `UserDisabling.setDisabled`. @throws user_not_found */
  async setDisabled({ realmId, userId, actor, origin }: UserAct, disabled: boolean): Promise<UserEntity> {
    return await this.database.serialTransaction(userId, actor, async (tx) => {
      await this.require(tx, realmId, userId);
      return await this.accounts.setDisabled(tx, userId, disabled, actor, origin);
    });
  }

  /** @throws user_not_found */
  async delete({ realmId, userId, actor, origin }: UserAct): Promise<void> {
    await this.database.serialTransaction(userId, actor, async (tx) => {
      await this.require(tx, realmId, userId);
      if ((await this.users.lockForDeletion(tx, userId)) === null) throw new ServiceError('user_not_found');
      await this.accounts.delete(tx, userId, actor, origin);
    });
  }

  /** A user never moves to another realm, so a check before the lock holds after it. */
  private async require(handle: Tx | Reader, realmId: RealmId, userId: string): Promise<UserEntity> {
    const user = isUuid(userId) ? await this.users.findById(handle, userId) : null;
    if (user === null || user.realmId !== realmId) throw new ServiceError('user_not_found');
    return user;
  }
}
