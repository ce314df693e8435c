import { Injectable } from '@nestjs/common';
import { sha256 } from '../../platform/crypto/index.js';
import { rows } from '../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../platform/database/index.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { CHALLENGE_SECS } from './webauthn.js';

/** What a user who is signed in wants with a passkey. */
export type PasskeyPurpose = 'add' | 'reauthenticate';

/** More than anyone has pages open; with another, the oldest goes. */
const MAX_OPEN = 5;

/** The challenges of ceremonies. */
@Injectable()
export class PasskeyChallengeRepository {
  /** Keeps one for a session. The caller holds the user's row, so that no number of requests leaves more. */
  async insertPasskeyChallenge(
    tx: Tx,
    session: SessionOfCaller,
    purpose: PasskeyPurpose,
    challenge: string,
  ): Promise<void> {
    await rows(
      tx,
      `DELETE FROM passkey_challenges WHERE challenge_hash IN (
         SELECT challenge_hash FROM passkey_challenges WHERE user_id = $1 ORDER BY expires_at DESC OFFSET $2
       )`,
      [session.userId, MAX_OPEN - 1],
    );
    await rows(
      tx,
      `INSERT INTO passkey_challenges (challenge_hash, user_id, session_id, purpose, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [sha256(challenge), session.userId, session.sessionId, purpose, CHALLENGE_SECS],
    );
  }

  /** Uses one up, for good; false when there is none. Of simultaneous calls one succeeds. */
  async take(
    handle: AutoCommit,
    session: SessionOfCaller,
    purpose: PasskeyPurpose,
    challenge: string,
  ): Promise<boolean> {
    const taken = await rows(
      handle,
      `DELETE FROM passkey_challenges
       WHERE challenge_hash = $1 AND user_id = $2 AND session_id = $3 AND purpose = $4 AND expires_at > now()
       RETURNING 1`,
      [sha256(challenge), session.userId, session.sessionId, purpose],
    );
    return taken.length === 1;
  }

  /** Marks a challenge token as used; false when it was. Others wait for the end of the transaction. */
  async markUsed(tx: Tx, token: string, expiresAt: Date): Promise<boolean> {
    const marked = await rows(
      tx,
      'INSERT INTO used_passkey_tokens (token_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
      [sha256(token), expiresAt],
    );
    return marked.length === 1;
  }
}
