import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../../audit/index.js';
import { sha256 } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { CredentialFailures } from '../../../limits/index.js';
import { meetsChallenge } from '../../redirects/code-challenge.js';
import { SignInCodeRepository } from '../../redirects/sign-in-code.repository.js';
import type { TokenPair } from '../../sessions/sessions.js';
import type { RealmId } from '../../users/user.repository.js';
import { SignIn } from '../sign-in.js';
import type { SignInOutcome } from '../sign-in.js';

/** What became of a code: a sign-in, or whose it was and why it opened none. */
type Exchanged =
  { readonly outcome: SignInOutcome } | { readonly userId: string | null; readonly reason: string };

/** Sign-in with the one-time code that the page of a mail added to a redirect URL. */
@Injectable()
export class CodeSignIn {
  constructor(
    private readonly database: Database,
    private readonly codes: SignInCodeRepository,
    private readonly signIns: SignIn,
    private readonly failures: CredentialFailures,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Uses the code up and opens a session. A wrong verifier uses it up as well: there is no second try.
   * @throws invalid_code, second_factor_required, rate_limited
   */
  async signIn(realmId: RealmId, code: string, verifier: string | null, origin: Origin): Promise<TokenPair> {
    const exchanged = await this.database.transaction(async (tx): Promise<Exchanged> => {
      const used = await this.codes.take(tx, realmId, sha256(code));
      if (used === null) return { userId: null, reason: 'unknown_code' };
      if (!meetsChallenge(used.codeChallenge, verifier))
        return { userId: used.user.id, reason: 'wrong_verifier' };
      return { outcome: await this.signIns.completeIn(tx, used.user, used.proof, origin) };
    });
    if ('outcome' in exchanged) return await this.signIns.issue(exchanged.outcome);
    await this.failures.count(origin);
    const { userId, reason } = exchanged;
    await this.audit.appendAlone(
      accountEvent(userId, { actor: ANONYMOUS, action: 'session.code_refused', origin, details: { reason } }),
    );
    throw new ServiceError('invalid_code');
  }
}
