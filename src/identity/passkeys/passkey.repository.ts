import { Injectable } from '@nestjs/common';
import { firstRow, rows, violatesUnique } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import type { MadePasskey, NamedPasskey } from './webauthn.js';

/** A passkey, and whose it is. */
export interface Passkey extends NamedPasskey {
  readonly factorId: string;
  readonly userId: string;
  readonly publicKey: Buffer;
  readonly isSynced: boolean;
}

/** Passkeys, each beside the row of its factor. For writes, the caller must hold the user's row (`UserRepository.lock`). */
@Injectable()
export class PasskeyRepository {
  async listOf(handle: Tx | Reader, userId: string): Promise<NamedPasskey[]> {
    return await rows<NamedPasskey>(
      handle,
      `SELECT passkey.credential_id AS "credentialId", passkey.transports
       FROM factors factor JOIN passkeys passkey ON passkey.factor_id = factor.id
       WHERE factor.user_id = $1 ORDER BY factor.id`,
      [userId],
    );
  }

  /** Among the accounts of the realm. */
  async find(handle: Tx | Reader, realmId: RealmId, credentialId: string): Promise<Passkey | null> {
    return await firstRow<Passkey>(
      handle,
      `SELECT passkey.factor_id AS "factorId", factor.user_id AS "userId", passkey.credential_id AS "credentialId",
              passkey.public_key AS "publicKey", passkey.transports, passkey.is_synced AS "isSynced"
       FROM passkeys passkey JOIN factors factor ON factor.id = passkey.factor_id
       WHERE passkey.realm_id = $1 AND passkey.credential_id = $2`,
      [realmId, Buffer.from(credentialId, 'base64url')],
    );
  }

  /**
   * Adds it, in force, under the id of its factor.
   * @returns false where an account of the realm has it; the transaction must be rolled back then
   */
  async insertPasskey(
    tx: Tx,
    user: UserEntity,
    id: string,
    name: string,
    made: MadePasskey,
  ): Promise<boolean> {
    const { credentialId, publicKey, signCount, transports, isSynced } = made;
    try {
      await rows(
        tx,
        `WITH factor AS (
           INSERT INTO factors (id, user_id, type, name, confirmed_at) VALUES ($1, $2, 'passkey', $3, now()) RETURNING id
         )
         INSERT INTO passkeys (factor_id, realm_id, credential_id, public_key, sign_count, transports, is_synced)
         SELECT factor.id, $4, $5, $6, $7, $8, $9 FROM factor`,
        [id, user.id, name, user.realmId, credentialId, publicKey, signCount, transports, isSynced],
      );
      return true;
    } catch (error) {
      if (violatesUnique(error, 'passkeys_realm_id_credential_id_key')) return false;
      throw error;
    }
  }

  /**
   * Notes a use; false for a counter that is not above the last one, unless the authenticator has none (WebAuthn Level 3,
   * section 6.1.1). Of simultaneous uses of one counter, one succeeds.
   */
  async use(tx: Tx, factorId: string, signCount: number): Promise<boolean> {
    const used = await rows(
      tx,
      `WITH passkey AS (
         UPDATE passkeys SET sign_count = $2
         WHERE factor_id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))
         RETURNING factor_id
       )
       UPDATE factors SET last_used_at = now() FROM passkey WHERE id = passkey.factor_id RETURNING id`,
      [factorId, signCount],
    );
    return used.length === 1;
  }
}
