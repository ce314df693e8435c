import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';

/** How whoever has the code proved the account on the page of a mail. */
export type CodeProof = 'verification' | 'magic_link' | 'recovery' | 'invitation' | 'email_change';

/** A code to insert. The code itself is never stored. */
export interface NewSignInCode {
  readonly codeHash: Buffer;
  readonly proof: CodeProof;
  readonly codeChallenge: string | null;
}

/** A code that was used, with its account as it is now. */
export interface UsedSignInCode {
  readonly user: UserEntity;
  readonly proof: CodeProof;
  readonly codeChallenge: string | null;
}

const DIGEST = `sha256(convert_to(coalesce(owner.password_hash, ''), 'UTF8'))`;

/** The one-time codes that pages add to redirect URLs. All statements lock the user before a code. */
@Injectable()
export class SignInCodeRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** False when the account was disabled or given another password meanwhile. */
  async insertSignInCode(tx: Tx, { id, passwordHash }: UserEntity, code: NewSignInCode): Promise<boolean> {
    const inserted = await rows(
      tx,
      `WITH owner AS (
         SELECT id, email, password_hash FROM users
         WHERE id = $1 AND disabled_at IS NULL AND password_hash IS NOT DISTINCT FROM $2
         FOR NO KEY UPDATE
       )
       INSERT INTO sign_in_codes (code_hash, user_id, proof, email, password_digest, code_challenge, expires_at)
       SELECT $3, owner.id, $4, owner.email, ${DIGEST}, $5, now() + make_interval(secs => $6) FROM owner
       RETURNING 1`,
      [
        id,
        passwordHash,
        code.codeHash,
        code.proof,
        code.codeChallenge,
        this.config.timing.lives.signInCodeSecs,
      ],
    );
    return inserted.length === 1;
  }

  /**
   * Uses a code up, and locks its user from here on; null for a code that is unknown or expired, or whose account was
   * disabled or has another address or password since. Of several calls at one time, one gets it.
   */
  async take(tx: Tx, realmId: RealmId, codeHash: Buffer): Promise<UsedSignInCode | null> {
    const taken = await firstRow<UserEntity & Omit<UsedSignInCode, 'user'>>(
      tx,
      `WITH owner AS (
         SELECT users.* FROM sign_in_codes pending JOIN users ON users.id = pending.user_id
         WHERE pending.code_hash = $1 AND users.realm_id = $2
         FOR NO KEY UPDATE OF users
       )
       DELETE FROM sign_in_codes code USING owner
       WHERE code.code_hash = $1 AND code.user_id = owner.id AND code.expires_at > now()
         AND owner.disabled_at IS NULL AND code.email = owner.email AND code.password_digest = ${DIGEST}
       RETURNING owner.id, owner.realm_id AS "realmId", owner.email, owner.email_verified AS "emailVerified",
                 owner.password_hash AS "passwordHash", owner.metadata, owner.created_at AS "createdAt",
                 owner.disabled_at AS "disabledAt", owner.second_factor AS "secondFactor",
                 code.proof, code.code_challenge AS "codeChallenge"`,
      [codeHash, realmId],
    );
    if (taken === null) return null;
    const { proof, codeChallenge, ...user } = taken;
    return { user, proof, codeChallenge };
  }

  /** Voids the codes of a user whose row the caller holds. */
  async voidAll(tx: Tx, userId: string): Promise<void> {
    await rows(tx, 'DELETE FROM sign_in_codes WHERE user_id = $1', [userId]);
  }
}
