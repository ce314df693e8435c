import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { UserEntity } from '../core/index.js';

/** Users as the operator of the deployment sees and switches them. */
@Injectable()
export class OperatorUserRepository {
  /** Newest first, before the id `before`. @param emailStart how the address begins */
  async list(
    handle: Tx | Reader,
    emailStart: string | null,
    page: { limit: number; before: string | null },
  ): Promise<UserEntity[]> {
    const query = handle.createQueryBuilder(UserEntity, 'account');
    if (emailStart !== null) {
      query.andWhere('account.email LIKE :pattern', {
        pattern: `${emailStart.replace(/[\\%_]/g, '\\$&')}%`,
      });
    }
    if (page.before !== null) query.andWhere('account.id < :before', { before: page.before });
    return await query.orderBy('account.id', 'DESC').limit(page.limit).getMany();
  }

  /** Whether this changed anything. Orders itself with a session being opened, which holds the row. */
  async setDisabled(tx: Tx, id: string, disabled: boolean): Promise<boolean> {
    const changed = await rows(
      tx,
      `UPDATE users SET disabled_at = CASE WHEN $2 THEN now() END
       WHERE id = $1 AND (disabled_at IS NOT NULL) <> $2 RETURNING id`,
      [id, disabled],
    );
    return changed.length === 1;
  }

  /** Ends every session of the user, those too that a refresh is keeping alive at this moment. */
  async revokeSessions(tx: Tx, userId: string, reason: string): Promise<number> {
    const revoked = await rows(
      tx,
      `UPDATE sessions SET revoked_at = now(), revoked_reason = $2
       WHERE user_id = $1 AND revoked_at IS NULL RETURNING id`,
      [userId, reason],
    );
    return revoked.length;
  }
}
