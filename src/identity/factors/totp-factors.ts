import { Injectable } from '@nestjs/common';
import { KeyRing, isUuid, newId } from '../../platform/crypto/index.js';
import type { Tx } from '../../platform/database/index.js';
import { PublicUrl, ServiceError } from '../../http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import type { UserEntity } from '../users/user.repository.js';
import { FactorRepository, factorSecretAssociatedData } from './factor.repository.js';
import { enrolmentOf, newTotpSecret, stepOf } from './totp.js';
import type { TotpEnrolment } from './totp.js';

/** An authenticator application that waits for its first code. */
export type BegunTotp = TotpEnrolment & { readonly id: string };

/** Sets up authenticator applications. The caller holds the user's row and has found out that the user may. */
@Injectable()
export class TotpFactors {
  constructor(
    private readonly factors: FactorRepository,
    private readonly keyRing: KeyRing,
    private readonly clock: Clock,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Adds one that is not in force until `confirm`. */
  async begin(tx: Tx, user: UserEntity, name: string): Promise<BegunTotp> {
    const id = newId();
    const secret = newTotpSecret();
    const sealedSecret = this.keyRing.seal(Buffer.from(secret), factorSecretAssociatedData(id));
    await this.factors.insertTotp(tx, user.id, name, { id, sealedSecret });
    const issuer = new URL(this.publicUrl.base).hostname;
    return { id, ...enrolmentOf(secret, { issuer, account: user.email }) };
  }

  /** Puts it in force; false for a wrong code. @throws factor_not_found */
  async confirm(tx: Tx, user: UserEntity, id: string, code: string): Promise<boolean> {
    const factor = isUuid(id) ? await this.factors.findEnrolled(tx, user.id, id) : null;
    if (factor === null) throw new ServiceError('factor_not_found');
    const secret = this.keyRing.open(factor.sealedSecret, factorSecretAssociatedData(factor.id));
    const step = stepOf(secret, code, this.clock.now());
    if (step === null || !(await this.factors.useStep(tx, factor.id, step))) return false;
    await this.factors.confirm(tx, factor.id);
    return true;
  }
}
