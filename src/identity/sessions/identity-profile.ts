import type { UsedTokenRetention } from '../retention/used-token-retention.js';

/** What the active profile decides for the core. The core asks for the field, never for the profile. */
export abstract class IdentityProfile {
  /**
   * What is left of a refresh token once it is used and of a session once it has ended. `kept`: its row, marked,
   * so that a second use is known for the theft that it is. `deleted`: nothing, so that it is simply unknown.
   */
  abstract readonly usedTokens: UsedTokenRetention;

  /** What a user does whose address is not proven yet and has to be. */
  abstract readonly proofHint: string;
}
