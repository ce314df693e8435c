import { Injectable } from '@nestjs/common';

/** How many sign-ins and sign-ups ended with which outcome. */
export interface SignInCount {
  readonly signedUp: number;
  readonly signedIn: number;
  /** Refused because of the input: a wrong password, a link that is no longer valid, a locked account. */
  readonly refused: number;
  /** Not completed: the caller asked too often, or the program was overloaded or failed. */
  readonly unanswered: number;
}

export const NO_SIGN_INS: SignInCount = { signedUp: 0, signedIn: 0, refused: 0, unanswered: 0 };

/** The events in which a person signs in. A refresh, for example, is not one. */
const SIGN_INS: ReadonlySet<string> = new Set(['sign_in', 'magic_link', 'recovery']);
const UNANSWERED: ReadonlySet<string> = new Set(['rate_limited', 'overloaded', 'internal_error']);

/** The figure that an event adds to; null for none. */
export function figureOf(event: string, outcome: string): keyof SignInCount | null {
  if (event === 'sign_up') return outcome === 'success' ? 'signedUp' : null;
  if (!SIGN_INS.has(event)) return null;
  if (outcome === 'success') return 'signedIn';
  // The first of two steps. The outcome of the second one is counted.
  if (outcome === 'second_factor_required') return null;
  return UNANSWERED.has(outcome) ? 'unanswered' : 'refused';
}

/** What this process has counted since it last stored the counts. */
@Injectable()
export class SignInCounts {
  private count: Record<keyof SignInCount, number> | null = null;

  add(event: string, outcome: string): void {
    const figure = figureOf(event, outcome);
    if (figure === null) return;
    this.count ??= { ...NO_SIGN_INS };
    this.count[figure] += 1;
  }

  /** Takes the counts and resets them; null if nothing was counted. */
  take(): SignInCount | null {
    const taken = this.count;
    this.count = null;
    return taken;
  }

  /** Adds back counts that could not be stored. */
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
