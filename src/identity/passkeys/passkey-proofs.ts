import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import type { Assertion } from './credential.js';
import { PasskeyRepository } from './passkey.repository.js';
import type { Passkey } from './passkey.repository.js';
import { methodsOf, RefusedCeremony, userHandleOf, verifyAssertion } from './webauthn.js';
import type { Expected } from './webauthn.js';

/** An assertion that is right, apart from its counter. */
export interface VerifiedAssertion {
  readonly passkey: Passkey;
  readonly signCount: number;
}

/** Verifies passkeys. */
@Injectable()
export class PasskeyProofs {
  constructor(
    private readonly database: Database,
    private readonly passkeys: PasskeyRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** Whose passkey the assertion claims to be of, among the accounts of the realm. */
  async ownerOf(realmId: RealmId, { id }: Assertion): Promise<string | null> {
    return (await this.passkeys.find(this.database.reader, realmId, id))?.userId ?? null;
  }

  /** Changes nothing. Null for a passkey that is not the user's, and for whatever is wrong with the assertion. */
  async verifyAssertion(
    tx: Tx,
    user: UserEntity,
    assertion: Assertion,
    expected: Expected,
  ): Promise<VerifiedAssertion | null> {
    const passkey = await this.passkeys.find(tx, user.realmId as RealmId, assertion.id);
    if (passkey === null || passkey.userId !== user.id) return null;
    const handle = userHandleOf(user.id).toString('base64url');
    if (assertion.userHandle !== null && assertion.userHandle !== handle) return null;
    try {
      return { passkey, signCount: await verifyAssertion(assertion, passkey.publicKey, expected) };
    } catch (error) {
      if (error instanceof RefusedCeremony) return null;
      throw error;
    }
  }

  /**
   * Notes the use and returns the `amr` of it. Null for a counter that went back, which is the sign of a passkey that
   * was copied; it goes on record with the caller's transaction.
   */
  async use(
    tx: Tx,
    user: UserEntity,
    { passkey, signCount }: VerifiedAssertion,
    origin: Origin,
  ): Promise<readonly string[] | null> {
    if (await this.passkeys.use(tx, passkey.factorId, signCount)) return methodsOf(passkey);
    const target = { type: 'factor', id: passkey.factorId };
    const event = { actor: ANONYMOUS, action: 'user.passkey_counter_refused', target, origin };
    await this.audit.append(tx, accountEvent(user.id, { ...event, details: { sign_count: signCount } }));
    return null;
  }
}
