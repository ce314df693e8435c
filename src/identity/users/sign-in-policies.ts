import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { RealmId } from './user.repository.js';

/** Whether the accounts of a realm must have a second factor to sign in. */
@Injectable()
export class SignInPolicyRepository {
  async requiresFactor(handle: Tx | Reader, realmId: RealmId): Promise<boolean> {
    const found = await firstRow<{ isRequired: boolean }>(
      handle,
      'SELECT require_second_factor AS "isRequired" FROM sign_in_policies WHERE realm_id = $1',
      [realmId],
    );
    return found?.isRequired === true;
  }

  async requireFactor(tx: Tx, realmId: RealmId, isRequired: boolean): Promise<void> {
    await rows(
      tx,
      `INSERT INTO sign_in_policies (realm_id, require_second_factor) VALUES ($1, $2)
       ON CONFLICT (realm_id) DO UPDATE SET require_second_factor = excluded.require_second_factor`,
      [realmId, isRequired],
    );
  }
}
