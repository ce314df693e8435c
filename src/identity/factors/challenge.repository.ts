import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { RealmId } from '../users/user.repository.js';

const TRIES = 5;

/** What completes the sign-in: a factor that the account has, or its first one. */
export type ChallengeKind = 'factor' | 'enrolment';

export interface NewChallenge {
  readonly tokenHash: Buffer;
  readonly userId: string;
  /** How the identity was proven first, and the `amr` of that. */
  readonly proof: string;
  readonly amr: readonly string[];
  /** Tells whether the password was replaced meanwhile, without being its hash. */
  readonly provenDigest: Buffer;
  readonly kind: ChallengeKind;
}

/** What completes a challenge besides passkeys. */
export interface OpenChallenge {
  readonly expiresAt: Date;
  readonly hasTotp: boolean;
  readonly hasRecoveryCodes: boolean;
}

/** A challenge with one try taken. */
export interface TriedChallenge {
  readonly proof: string;
  readonly amr: string[];
  readonly provenDigest: Buffer;
}

/** Sign-ins that wait for a second factor. */
@Injectable()
export class ChallengeRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async insertChallenge(
    tx: Tx,
    { tokenHash, userId, proof, amr, provenDigest, kind }: NewChallenge,
  ): Promise<OpenChallenge> {
    const { secondFactorSecs, secondFactorEnrolmentSecs } = this.config.timing.lives;
    const lifeSecs = kind === 'enrolment' ? secondFactorEnrolmentSecs : secondFactorSecs;
    const inserted = await firstRow<OpenChallenge>(
      tx,
      `INSERT INTO second_factor_challenges (token_hash, user_id, proof, amr, proven_digest, tries_left, kind, expires_at)
       VALUES ($1, $2, $3, $4, $5, ${TRIES}, $6, now() + make_interval(secs => $7))
       RETURNING expires_at AS "expiresAt",
                 EXISTS (
                   SELECT FROM factors WHERE user_id = $2 AND type = 'totp' AND confirmed_at IS NOT NULL
                 ) AS "hasTotp",
                 EXISTS (SELECT FROM recovery_codes code WHERE code.user_id = $2) AS "hasRecoveryCodes"`,
      [tokenHash, userId, proof, amr, provenDigest, kind, lifeSecs],
    );
    if (inserted === null) throw new Error('the challenge was not inserted');
    return inserted;
  }

  /** Whose sign-in waits; null where none does. */
  async userOf(
    handle: Tx | Reader,
    realmId: RealmId,
    tokenHash: Buffer,
    kind: ChallengeKind,
  ): Promise<string | null> {
    const found = await firstRow<{ userId: string }>(
      handle,
      `SELECT challenge.user_id AS "userId"
       FROM second_factor_challenges challenge JOIN users owner ON owner.id = challenge.user_id
       WHERE challenge.token_hash = $1 AND owner.realm_id = $2
         AND challenge.expires_at > now() AND challenge.tries_left > 0
         AND challenge.kind = $3`,
      [tokenHash, realmId, kind],
    );
    return found?.userId ?? null;
  }

  /** Without taking a try. */
  async find(tx: Tx, tokenHash: Buffer, kind: ChallengeKind): Promise<TriedChallenge | null> {
    return await firstRow<TriedChallenge>(
      tx,
      `SELECT proof, amr, proven_digest AS "provenDigest" FROM second_factor_challenges
       WHERE token_hash = $1 AND expires_at > now() AND tries_left > 0 AND kind = $2`,
      [tokenHash, kind],
    );
  }

  /** Takes a try; null when none is left. Others wait for the end of the transaction. */
  async try(tx: Tx, tokenHash: Buffer, kind: ChallengeKind): Promise<TriedChallenge | null> {
    return await firstRow<TriedChallenge>(
      tx,
      `UPDATE second_factor_challenges SET tries_left = tries_left - 1
       WHERE token_hash = $1 AND expires_at > now() AND tries_left > 0 AND kind = $2
       RETURNING proof, amr, proven_digest AS "provenDigest"`,
      [tokenHash, kind],
    );
  }

  async delete(tx: Tx, tokenHash: Buffer): Promise<void> {
    await rows(tx, 'DELETE FROM second_factor_challenges WHERE token_hash = $1', [tokenHash]);
  }
}
