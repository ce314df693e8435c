import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import { Sessions } from '../sessions/sessions.js';
import type { OpenedSession, TokenPair } from '../sessions/sessions.js';
import type { UserEntity } from '../users/user.repository.js';

/** How an identity was proven, as the audit trail names it. */
export type SignInProof = 'password' | 'magic_link' | 'recovery' | 'invitation' | 'sign_up';

/**
 * Turns a proven identity into a session. Every way of signing in ends here and nothing else opens a session
 * (test/architecture/sign-in.test.ts), so a further step, such as a second factor, is added in this file.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Runs `prove` in a transaction, opens a session for the user that it returns, and signs the tokens after the commit.
   * @returns null when `prove` returns null; what it wrote is committed
   * @throws invalid_credentials when the account was disabled, deleted or given another password meanwhile
   */
  async complete<Proven extends UserEntity | null>(
    proof: SignInProof,
    origin: Origin,
    prove: (tx: Tx) => Promise<Proven>,
  ): Promise<TokenPair | Extract<Proven, null>> {
    const opened = await this.database.transaction(async (tx) => {
      const user = await prove(tx);
      return user === null ? null : await this.completeIn(tx, user, proof, origin);
    });
    return opened === null ? (null as Extract<Proven, null>) : await this.issue(opened);
  }

  /**
   * Opens the session inside a transaction of the caller's, who calls `issue` after its commit.
   * @throws invalid_credentials as `complete`
   */
  async completeIn(tx: Tx, user: UserEntity, proof: SignInProof, origin: Origin): Promise<OpenedSession> {
    return await this.sessions.open(tx, user, origin, proof);
  }

  /** Signs the tokens of a session that `completeIn` opened. Not inside a transaction: see `Sessions.issue`. */
  async issue(opened: OpenedSession): Promise<TokenPair> {
    return await this.sessions.issue(opened);
  }
}
