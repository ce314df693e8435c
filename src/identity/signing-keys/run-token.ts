/** The `typ` of the token that a call to a handler carries (contract, section 6). */
export const RUN_TOKEN_TYPE = 'run+jwt';
export const SERVICE_ROLE = 'service_role';

export interface RunTokenSubject {
  readonly runId: string;
  readonly attempt: number;
  readonly tenantId: string;
}

/**
 * Signs the tokens by which handlers act for the tenant of their run. They have no `sub`: they stand for no user, and
 * nobody who reads one may take it for a user's. Which key signs and what they claim is the profile's, as with
 * `AccessTokenSigner`.
 */
export abstract class RunTokenIssuer {
  /** @param lifeMs how long the attempt may take; the token expires with it, rounded up to a second */
  abstract issue(subject: RunTokenSubject, lifeMs: number): Promise<string>;
}
