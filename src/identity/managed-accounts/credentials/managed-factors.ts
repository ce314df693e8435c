import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../../audit/index.js';
import { isUuid } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import { FactorRepository } from '../../factors/factor.repository.js';
import type { Factor } from '../../factors/factor.repository.js';
import { AccountNotices } from '../../mail-outbox/account-notices.js';
import { ManagedSessions } from './managed-sessions.js';
import { ManagedUsers } from '../users/managed-users.js';
import type { ManagedUserReference, UserAct } from '../users/managed-users.js';

/** Lists second factors for an operator or a service key, and removes them: the way back for who has lost them. */
@Injectable()
export class ManagedFactors {
  constructor(
    private readonly database: Database,
    private readonly managed: ManagedUsers,
    private readonly factors: FactorRepository,
    private readonly sessions: ManagedSessions,
    private readonly notices: AccountNotices,
    private readonly audit: AuditTrail,
  ) {}

  /** Those in force, oldest first. @throws user_not_found */
  async list({ realm, userId }: ManagedUserReference): Promise<Factor[]> {
    const found = isUuid(userId) ? await this.factors.listIn(this.database.reader, realm, userId) : null;
    if (found === null) throw new ServiceError('user_not_found');
    return found;
  }

  /**
   * Removes all factors with their recovery codes, and ends every session with its access tokens. The user is notified
   * by mail. Repeating it changes nothing. @throws user_not_found
   */
  async reset(act: UserAct): Promise<void> {
    const { actor, origin } = act;
    await this.database.serialTransaction(act.userId, actor, async (tx) => {
      const user = await this.managed.lock(tx, act);
      const removed = await this.factors.removeAll(tx, user.id);
      if (removed === 0) return;
      await this.sessions.endAllIn(tx, user.id);
      const details = { factors: removed };
      await this.audit.append(
        tx,
        accountEvent(user.id, { actor, action: 'user.factors_reset', origin, details }),
      );
      await this.notices.send(tx, user, 'factors_reset', origin);
    });
  }
}
