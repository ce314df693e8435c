import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../audit/index.js';
import { isUuid } from '../../../platform/crypto/index.js';
import type { Reader, Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';

/** A user, as the path of a request names them. */
export interface ManagedUserReference {
  /** The realm whose users the caller manages. */
  readonly realm: RealmId;
  readonly userId: string;
}

/** A change of a user by the operator of the deployment, or by the service key of a project. */
export interface UserAct extends ManagedUserReference {
  readonly actor: Actor;
  readonly origin: Origin | null;
}

/** Finds the users that an operator or a service key manages. Users of other realms are not found. */
@Injectable()
export class ManagedUsers {
  constructor(private readonly users: UserRepository) {}

  /** @throws user_not_found */
  async require(handle: Tx | Reader, { realm, userId }: ManagedUserReference): Promise<UserEntity> {
    const user = isUuid(userId) ? await this.users.findById(handle, userId) : null;
    return this.admitted(user, realm);
  }

  /** The same, and locks the account. @throws user_not_found */
  async lock(tx: Tx, { realm, userId }: ManagedUserReference): Promise<UserEntity> {
    const user = isUuid(userId) ? await this.users.lock(tx, userId) : null;
    return this.admitted(user, realm);
  }

  private admitted(user: UserEntity | null, realm: RealmId): UserEntity {
    if (user === null || user.realmId !== realm) throw new ServiceError('user_not_found');
    return user;
  }
}
