import { Injectable } from '@nestjs/common';

/** How many sign-ins and sign-ups ended in which way. */
export interface SignInCount {
  readonly signedUp: number;
  readonly signedIn: number;
  /** Refused for what the caller sent: a wrong password, a link that is no longer valid, an account that is locked. */
  readonly refused: number;
  /** Not looked at, or not to the end: the caller asked too often, the program was overloaded or failed. */
  readonly unanswered: number;
}

export const NO_SIGN_INS: SignInCount = { signedUp: 0, signedIn: 0, refused: 0, unanswered: 0 };

/** What stands for a person who signs in; a refresh, for one, does not. */
const SIGN_INS: ReadonlySet<string> = new Set(['sign_in', 'magic_link', 'recovery']);
const UNANSWERED: ReadonlySet<string> = new Set(['rate_limited', 'overloaded', 'internal_error']);

/** Which figure an event adds to; null for none. */
export function figureOf(event: string, outcome: string): keyof SignInCount | null {
  if (event === 'sign_up') return outcome === 'success' ? 'signedUp' : null;
  if (!SIGN_INS.has(event)) return null;
  if (outcome === 'success') return 'signedIn';
  // The first of two steps. What comes of the second is counted.
  if (outcome === 'second_factor_required') return null;
  return UNANSWERED.has(outcome) ? 'unanswered' : 'refused';
}

/** What this process has counted since it last wrote it down. */
@Injectable()
export class SignInCounts {
  private count: Record<keyof SignInCount, number> | null = null;

  add(event: string, outcome: string): void {
    const figure = figureOf(event, outcome);
    if (figure === null) return;
    this.count ??= { ...NO_SIGN_INS };
    this.count[figure] += 1;
  }

  /** Takes the count away; null if nothing was counted. */
  take(): SignInCount | null {
    const taken = this.count;
    this.count = null;
    return taken;
  }

  /** Gives back a count that could not be written. */
  giveBack(taken: SignInCount): void {
    const since = this.count ?? NO_SIGN_INS;
    this.count = {
      signedUp: taken.signedUp + since.signedUp,
      signedIn: taken.signedIn + since.signedIn,
      refused: taken.refused + since.refused,
      unanswered: taken.unanswered + since.unanswered,
    };
  }
}
