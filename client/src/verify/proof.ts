import type { VerifiedUser } from './token-verifier.js';
import { Refusal } from './refusal.js';

/** How strongly, and how recently, a user must have authenticated. */
export interface ProofDemand {
  /** 2: with a second factor too (`aal`). */
  readonly aal?: 2 | undefined;
  /** The maximum age of the last proof, in seconds (`auth_time`). */
  readonly maxAuthAgeSecs?: number | undefined;
}

/** @throws TypeError for an invalid age: a mistake in the program, which would accept everyone or nobody */
export function checkedDemand(demand: ProofDemand = {}): ProofDemand {
  const { maxAuthAgeSecs: age } = demand;
  if (age !== undefined && !(Number.isFinite(age) && age > 0))
    throw new TypeError(`maxAuthAgeSecs is a number of seconds above 0, and not ${age}.`);
  return demand;
}

/** Refuses, like the service, a user whose token does not contain such a proof. @throws Refusal 403 */
export function requireProof(
  { aal, authTime }: VerifiedUser,
  demand: ProofDemand,
  { clockToleranceSecs }: { clockToleranceSecs: number },
): void {
  if (demand.aal !== undefined && aal < demand.aal)
    throw new Refusal({
      code: 'second_factor_required',
      message: 'This needs a sign-in with a second factor.',
      status: 403,
      hint: 'Add a second factor, then refresh the access token or sign in again.',
    });
  const { maxAuthAgeSecs } = demand;
  if (maxAuthAgeSecs === undefined) return;
  const ageSecs = authTime === null ? Infinity : (Date.now() - authTime.getTime()) / 1000;
  if (ageSecs <= maxAuthAgeSecs + clockToleranceSecs) return;
  throw new Refusal({
    code: 'reauthentication_required',
    message: 'The last proof of the user is too long ago.',
    status: 403,
    hint: 'POST /auth/v1/reauthenticate, then refresh the access token.',
  });
}
