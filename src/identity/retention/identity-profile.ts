import { OPERATOR_REALM } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import type { UsedTokenRetention } from './used-token-retention.js';

/** What the active profile decides for the core. The core asks for the field, never for the profile. */
export abstract class IdentityProfile {
  /**
   * What is left of a refresh token once it is used and of a session once it has ended. `kept`: its row, marked,
   * so that a second use is known for the theft that it is. `deleted`: nothing, so that it is simply unknown.
   */
  abstract readonly usedTokens: UsedTokenRetention;

  /** What a user does whose address is not proven yet and has to be. */
  abstract readonly proofHint: string;

  /** The realm of the accounts that operate the deployment. */
  abstract readonly operatorRealm: RealmId;

  /** Whether those accounts are nothing but operators' accounts, and no users of anything. */
  get hasOperatorAccountsApart(): boolean {
    return this.operatorRealm === OPERATOR_REALM;
  }

  /** What is left of the refresh tokens of a realm. Those of operators are kept, so that reuse is detected. */
  usedTokensOf(realmId: RealmId): UsedTokenRetention {
    return realmId === this.operatorRealm ? 'kept' : this.usedTokens;
  }
}
