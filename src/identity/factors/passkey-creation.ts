import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { CreatedCredential } from '../passkeys/credential.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RelyingParties } from '../passkeys/relying-party.js';
import { creationOptions, RefusedCeremony, verifyCreated } from '../passkeys/webauthn.js';
import type { CreationOptions, MadePasskey } from '../passkeys/webauthn.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';

/** The parts of adding a passkey, whoever the user has proven to be. */
@Injectable()
export class PasskeyCreation {
  constructor(
    private readonly database: Database,
    private readonly passkeys: PasskeyRepository,
    private readonly relyingParties: RelyingParties,
  ) {}

  /** What a browser needs to make one. */
  async options(user: UserEntity, challenge: string): Promise<CreationOptions> {
    const relyingParty = await this.relyingParties.of(user.realmId as RealmId);
    const others = await this.passkeys.listOf(this.database.reader, user.id);
    return await creationOptions(relyingParty, user, challenge, others);
  }

  /** Changes nothing. The hint says why: mostly a setting is wrong. @throws invalid_passkey */
  async verified(realmId: RealmId, credential: CreatedCredential, challenge: string): Promise<MadePasskey> {
    const relyingParty = await this.relyingParties.of(realmId);
    try {
      return await verifyCreated(credential, { challenge, relyingParty });
    } catch (error) {
      if (error instanceof RefusedCeremony)
        throw new ServiceError('invalid_passkey', { hint: error.message });
      throw error;
    }
  }

  /** Adds it, in force. @throws passkey_taken */
  async createPasskey(tx: Tx, user: UserEntity, id: string, name: string, made: MadePasskey): Promise<void> {
    if (!(await this.passkeys.insertPasskey(tx, user, id, name, made)))
      throw new ServiceError('passkey_taken');
  }
}
