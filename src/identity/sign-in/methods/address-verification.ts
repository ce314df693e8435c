import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Origin } from '../../../platform/http/index.js';
import { AddressProof } from '../address-proof.js';
import { OneTimeTokenRefusals } from '../../one-time-tokens/one-time-token-refusals.js';
import { OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import type { UserEntity } from '../../users/user.entity.js';
import type { RealmId } from '../../users/user.repository.js';

/** Whether an address belongs to its account: proven with the token of a mail to it. */
@Injectable()
export class AddressVerification {
  constructor(
    private readonly database: Database,
    private readonly proof: AddressProof,
    private readonly tokens: OneTimeTokens,
    private readonly refusals: OneTimeTokenRefusals,
  ) {}

  /** The account whose address the token would prove, while it is good. */
  async peek(realmId: RealmId, token: string): Promise<UserEntity | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, 'verify');
  }

  /** Counts the address as proven and answers its user. @throws invalid_token */
  async verify(realmId: RealmId, token: string, origin: Origin): Promise<UserEntity> {
    const verified = await this.database.transaction(async (tx) => {
      const user = await this.tokens.consume(tx, realmId, token, 'verify');
      return user === null ? null : await this.proof.bySignUpMail(tx, user, origin);
    });
    if (verified !== null) return verified;
    throw await this.refusals.refusal(realmId, 'user.email_verification_refused', token, origin);
  }
}
