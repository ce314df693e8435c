import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../../audit/index.js';
import { sha256 } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { ChallengeRepository } from '../../factors/challenge.repository.js';
import type { TriedChallenge } from '../../factors/challenge.repository.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { provenDigest } from '../sign-in.js';

/** A sign-in that waits for the first factor of its account. */
export interface WaitingSignIn {
  readonly realmId: RealmId;
  readonly token: string;
}

/** A challenge that cannot be completed any more. */
const GONE = 'gone';

/** A new password, another factor, or the end of the account voids what was proven before it. */
function holds(user: UserEntity | null, challenge: TriedChallenge | null): boolean {
  if (user === null || challenge === null || user.disabledAt !== null || user.secondFactor) return false;
  return provenDigest(user).equals(challenge.provenDigest);
}

/** Runs the steps of a sign-in by which an account gets its first factor. */
@Injectable()
export class EnrolmentChallenges {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly challenges: ChallengeRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** The account, locked while `work` runs. The challenge remains. @throws invalid_challenge */
  async peek<Result>(
    { realmId, token }: WaitingSignIn,
    work: (tx: Tx, user: UserEntity) => Promise<Result>,
  ): Promise<Result> {
    const userId = await this.userOf(realmId, token);
    return await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      const challenge = await this.challenges.find(tx, sha256(token), 'enrolment');
      if (user === null || !holds(user, challenge)) throw new ServiceError('invalid_challenge');
      return await work(tx, user);
    });
  }

  /**
   * Runs `work` with the account locked and uses the challenge up, unless it returns null: that takes one of its tries,
   * which is on record.
   * @throws invalid_challenge, invalid_second_factor
   */
  async redeem<Result>(
    { realmId, token }: WaitingSignIn,
    origin: Origin,
    work: (tx: Tx, user: UserEntity, challenge: TriedChallenge) => Promise<Result | null>,
  ): Promise<Result> {
    const userId = await this.userOf(realmId, token);
    const tokenHash = sha256(token);
    const result = await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      const challenge = await this.challenges.try(tx, tokenHash, 'enrolment');
      if (user === null || challenge === null || !holds(user, challenge)) return GONE;
      const done = await work(tx, user, challenge);
      if (done !== null) await this.challenges.delete(tx, tokenHash);
      return done;
    });
    if (result === GONE) throw new ServiceError('invalid_challenge');
    if (result !== null) return result;
    await this.audit.appendAlone(
      accountEvent(userId, { actor: ANONYMOUS, action: 'user.factor_enrolment_refused', origin }),
    );
    throw new ServiceError('invalid_second_factor');
  }

  private async userOf(realmId: RealmId, token: string): Promise<string> {
    const { reader } = this.database;
    const userId = await this.challenges.userOf(reader, realmId, sha256(token), 'enrolment');
    if (userId === null) throw new ServiceError('invalid_challenge');
    return userId;
  }
}
