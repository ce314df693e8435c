import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { PasswordProof } from '../guessing/password-guesses.js';
import { SessionLiveness } from '../sessions/session-liveness.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { FactorProofs } from './factor-proofs.js';
import type { FactorProof } from './factor-proofs.js';

const REFUSED = 'session.reauthentication_refused';

/** Proves again, within a session, that its user is there. */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly passwords: PasswordProof,
    private readonly proofs: FactorProofs,
    private readonly sessions: SessionRepository,
    private readonly liveness: SessionLiveness,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws wrong_password, session_revoked, rate_limited, overloaded */
  async byPassword(caller: SessionOfCaller, password: string, origin: Origin): Promise<void> {
    const proven = await this.passwords.require(caller.userId, password, { action: REFUSED, origin });
    await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, caller.userId);
      await this.liveness.require(tx, caller);
      // Changed between the proof and the lock: what was proven is a former password.
      if (user?.passwordHash !== proven.passwordHash) throw new ServiceError('wrong_password');
      await this.sessions.prove(tx, caller.sessionId, ['pwd'], 1);
    });
  }

  /** @throws factor_required, invalid_second_factor, session_revoked, rate_limited, overloaded */
  async byFactor(caller: SessionOfCaller, proof: FactorProof, origin: Origin): Promise<void> {
    const user = await this.users.findById(this.database.reader, caller.userId);
    if (user === null) throw new ServiceError('invalid_access_token');
    if (!user.secondFactor) throw new ServiceError('factor_required');
    const methods = await this.proofs.limited(user, origin, () =>
      this.database.transaction(async (tx) => {
        const current = await this.users.lock(tx, user.id);
        await this.liveness.require(tx, caller);
        const verified = current && (await this.proofs.verifyProof(tx, current, proof, origin));
        if (verified !== null) await this.sessions.prove(tx, caller.sessionId, verified, 2);
        return verified;
      }),
    );
    if (methods !== null) return;
    await this.audit.appendAlone(
      accountEvent(user.id, { action: REFUSED, origin, details: { reason: 'wrong_second_factor' } }),
    );
    throw new ServiceError('invalid_second_factor');
  }
}
