import { Injectable } from '@nestjs/common';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { Accounts } from '../accounts/accounts.js';
import type { UserEntity } from '../users/user.entity.js';

/** Shuts accounts out, and lets them in again. */
@Injectable()
export class UserDisabling {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Once this has answered, no session of a disabled user lives or opens, and every instance refuses its access
   * tokens within a second. Saying again what holds already changes nothing. @throws user_not_found
   */
  async setDisabled(userId: string, disabled: boolean, origin: Origin | null): Promise<UserEntity> {
    if (!isUuid(userId)) throw new ServiceError('user_not_found');
    return await this.database.transaction((tx) =>
      this.accounts.setDisabled(tx, userId, disabled, { type: 'operator', id: null }, origin),
    );
  }
}
