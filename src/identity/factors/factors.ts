import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { FactorChanges } from './factor-changes.js';
import { ONE_TIME_CODE } from './factor-proofs.js';
import { FactorRepository } from './factor.repository.js';
import type { Factor } from './factor.repository.js';
import { TotpFactors } from './totp-factors.js';
import type { BegunTotp } from './totp-factors.js';

/** The second factors of users, for themselves. */
@Injectable()
export class Factors {
  constructor(
    private readonly database: Database,
    private readonly factors: FactorRepository,
    private readonly changes: FactorChanges,
    private readonly totp: TotpFactors,
    private readonly audit: AuditTrail,
  ) {}

  async list(userId: string): Promise<Factor[]> {
    return await this.factors.list(this.database.reader, userId);
  }

  /**
   * Begins to add an authenticator application. It is not in force until `confirm`.
   * @throws reauthentication_required, session_revoked, limit_reached
   */
  async enrolTotp(caller: SessionOfCaller, name: string, origin: Origin): Promise<BegunTotp> {
    return await this.changes.apply(caller, 'recent', origin, async (tx, user) => {
      await this.changes.requireRoom(tx, user.id);
      return await this.totp.begin(tx, user, name);
    });
  }

  /**
   * Puts a factor in force. With the first one, recovery codes are made and the user's other sessions end, which have
   * met no second factor.
   * @returns the recovery codes; null where the account has some
   * @throws factor_not_found, invalid_second_factor, session_revoked
   */
  async confirm(caller: SessionOfCaller, id: string, code: string, origin: Origin): Promise<string[] | null> {
    return await this.changes.apply(caller, 'live', origin, async (tx, user) => {
      if (!(await this.totp.confirm(tx, user, id, code))) throw new ServiceError('invalid_second_factor');
      return await this.changes.added(tx, user, caller, { id, amr: ONE_TIME_CODE }, origin);
    });
  }

  /** @throws factor_not_found, reauthentication_required, session_revoked */
  async rename(caller: SessionOfCaller, id: string, name: string, origin: Origin): Promise<Factor> {
    return await this.changes.apply(caller, 'recent', origin, async (tx) => {
      const factor = isUuid(id) ? await this.factors.rename(tx, caller.userId, id, name) : null;
      if (factor === null) throw new ServiceError('factor_not_found');
      return factor;
    });
  }

  /**
   * Removes a factor; with the last one the account has no second factor and no recovery codes.
   * @throws factor_not_found, reauthentication_required, session_revoked
   */
  async remove(caller: SessionOfCaller, id: string, origin: Origin): Promise<void> {
    const { userId } = caller;
    await this.changes.apply(caller, 'recent', origin, async (tx, user) => {
      if (!isUuid(id) || !(await this.factors.remove(tx, userId, id)))
        throw new ServiceError('factor_not_found');
      const left = await this.factors.list(tx, userId);
      if (left.length === 0) await this.factors.removeAll(tx, userId);
      await this.changes.removed(tx, user, id, origin);
    });
  }

  /** Replaces all recovery codes. @throws factor_required, reauthentication_required, session_revoked */
  async renewCodes(caller: SessionOfCaller, origin: Origin): Promise<string[]> {
    const { userId } = caller;
    return await this.changes.apply(caller, 'recent', origin, async (tx, user) => {
      if (!user.secondFactor) throw new ServiceError('factor_required');
      const event = { action: 'user.recovery_codes_renewed', origin };
      await this.audit.append(tx, accountEvent(userId, event));
      return await this.changes.newCodes(tx, userId);
    });
  }
}
