import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { AssociatedData } from '../../platform/crypto/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { RealmId } from '../users/user.repository.js';

export type FactorType = 'totp' | 'passkey';

/** A factor as its user sees it. */
export interface Factor {
  readonly id: string;
  readonly type: FactorType;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface TotpSecret {
  readonly id: string;
  readonly sealedSecret: Buffer;
}

const FACTOR = `factors.id, factors.type, factors.name, factors.created_at AS "createdAt",
  factors.last_used_at AS "lastUsedAt"`;

/** The tenant is null in both profiles: the secret moves with its user and is bound to its row. */
export function factorSecretAssociatedData(id: string): AssociatedData {
  return { tenantId: null, table: 'factors', column: 'sealed_secret', row: id };
}

/** Factors by user. For writes, the caller must hold the user's row (`UserRepository.lock`). */
@Injectable()
export class FactorRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Those in force, oldest first. */
  async list(handle: Tx | Reader, userId: string): Promise<Factor[]> {
    return await rows<Factor>(
      handle,
      `SELECT ${FACTOR} FROM factors WHERE user_id = $1 AND confirmed_at IS NOT NULL ORDER BY id`,
      [userId],
    );
  }

  /** The same of a user of this realm; null where the realm has no such user. */
  async listIn(handle: Tx | Reader, realmId: RealmId, userId: string): Promise<Factor[] | null> {
    const found = await rows<Factor | { readonly id: null }>(
      handle,
      `SELECT ${FACTOR} FROM users
         LEFT JOIN factors ON factors.user_id = users.id AND factors.confirmed_at IS NOT NULL
       WHERE users.id = $2 AND users.realm_id = $1 ORDER BY factors.id`,
      [realmId, userId],
    );
    return found.length === 0 ? null : found.filter((row) => row.id !== null);
  }

  async find(handle: Tx | Reader, userId: string, id: string): Promise<Factor | null> {
    return await firstRow<Factor>(
      handle,
      `SELECT ${FACTOR} FROM factors WHERE user_id = $1 AND id = $2 AND confirmed_at IS NOT NULL`,
      [userId, id],
    );
  }

  /** Adds one that is not in force, in place of any other that is not. */
  async insertTotp(tx: Tx, userId: string, name: string, { id, sealedSecret }: TotpSecret): Promise<void> {
    await rows(tx, 'DELETE FROM factors WHERE user_id = $1 AND confirmed_at IS NULL', [userId]);
    await rows(
      tx,
      `INSERT INTO factors (id, user_id, type, name, sealed_secret) VALUES ($1, $2, 'totp', $3, $4)`,
      [id, userId, name, sealedSecret],
    );
  }

  async findEnrolled(tx: Tx, userId: string, id: string): Promise<TotpSecret | null> {
    return await firstRow<TotpSecret>(
      tx,
      `SELECT id, sealed_secret AS "sealedSecret" FROM factors
       WHERE id = $2 AND user_id = $1 AND confirmed_at IS NULL AND created_at > now() - make_interval(secs => $3)`,
      [userId, id, this.config.timing.lives.authenticatorEnrolmentSecs],
    );
  }

  async confirm(tx: Tx, id: string): Promise<void> {
    await rows(tx, 'UPDATE factors SET confirmed_at = now() WHERE id = $1', [id]);
  }

  async rename(tx: Tx, userId: string, id: string, name: string): Promise<Factor | null> {
    return await firstRow<Factor>(
      tx,
      `UPDATE factors SET name = $3 WHERE id = $2 AND user_id = $1 AND confirmed_at IS NOT NULL RETURNING ${FACTOR}`,
      [userId, id, name],
    );
  }

  async remove(tx: Tx, userId: string, id: string): Promise<boolean> {
    const removed = await rows(
      tx,
      'DELETE FROM factors WHERE id = $2 AND user_id = $1 AND confirmed_at IS NOT NULL RETURNING id',
      [userId, id],
    );
    return removed.length === 1;
  }

  /** Removes all factors with their recovery codes. @returns how many were in force */
  async removeAll(tx: Tx, userId: string): Promise<number> {
    const removed = await rows<{ confirmed: boolean }>(
      tx,
      `WITH codes AS (DELETE FROM recovery_codes WHERE user_id = $1),
         challenges AS (DELETE FROM second_factor_challenges WHERE user_id = $1),
         account AS (UPDATE users SET second_factor = false WHERE id = $1 AND second_factor)
       DELETE FROM factors WHERE user_id = $1 RETURNING confirmed_at IS NOT NULL AS confirmed`,
      [userId],
    );
    return removed.filter(({ confirmed }) => confirmed).length;
  }

  /** Also ends the access tokens of sessions that the caller ends. */
  async markInForce(tx: Tx, userId: string): Promise<void> {
    await rows(tx, 'UPDATE users SET second_factor = true, sessions_ended_at = now() WHERE id = $1', [
      userId,
    ]);
  }

  async totpSecrets(tx: Tx, userId: string): Promise<TotpSecret[]> {
    return await rows<TotpSecret>(
      tx,
      `SELECT id, sealed_secret AS "sealedSecret" FROM factors
       WHERE user_id = $1 AND type = 'totp' AND confirmed_at IS NOT NULL ORDER BY id`,
      [userId],
    );
  }

  /** Uses a time step up; false when it, or a later one, was used before. Of simultaneous calls one succeeds. */
  async useStep(tx: Tx, id: string, step: number): Promise<boolean> {
    const used = await rows(
      tx,
      `UPDATE factors SET last_step = $2, last_used_at = now() WHERE id = $1 AND last_step < $2 RETURNING id`,
      [id, step],
    );
    return used.length === 1;
  }

  /** Replaces all recovery codes. */
  async setRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
    await rows(tx, 'DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await rows(
      tx,
      `INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, hash FROM unnest($2::bytea[]) hash`,
      [userId, hashes],
    );
  }

  /** Uses a recovery code up; false when it is none. Of simultaneous calls one succeeds. */
  async useRecoveryCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
    const used = await rows(
      tx,
      'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING 1',
      [userId, hash],
    );
    return used.length === 1;
  }
}
