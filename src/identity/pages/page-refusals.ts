import { ServiceError } from '../../http/index.js';
import { html } from './html.js';
import type { Html } from './html.js';
import { page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';

const INVALID_LINK = 400;

/** A link that leads nowhere. @param nextStep what the reader can do */
export function deadLink(nextStep: string): PageAnswer {
  return page(
    INVALID_LINK,
    'This link does not work',
    html`<p>
        It was used already, has expired, or was replaced by a newer one. Perhaps not all of it was copied.
      </p>
      <p>${nextStep}</p>`,
  );
}

/** A refusal that no other input on the page would mend. @throws what is no refusal but a fault of ours */
export function refused(error: unknown, nextStep: string): PageAnswer {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'invalid_token') return deadLink(nextStep);
  const answer = page(error.status, ...refusalText(error));
  return { ...answer, headers: error.headers, refusal: error.code };
}

/** Heading and text of the page of a refusal. */
function refusalText({ code, message }: ServiceError): [string, Html] {
  if (code === 'sign_up_closed')
    return [
      'Sign-up is closed',
      html`<p role="alert">No new accounts are made here, so this link cannot make one.</p>
        <p>
          If you have an account with another address, sign in with that. Otherwise ask the operator of this
          service for an account.
        </p>`,
    ];
  if (code === 'rate_limited')
    return [
      'That did not work',
      html`<p role="alert">There were too many attempts. Please try again later.</p>`,
    ];
  return ['That did not work', html`<p role="alert">${message}</p>`];
}

/** The form once more, because of a refusal that another input mends. */
export function refusedForm(answer: PageAnswer, error: unknown): PageAnswer {
  return error instanceof ServiceError ? { ...answer, refusal: error.code } : answer;
}

/** What to say beside the form, where another input would mend it; null where none would. */
export function problemOf(error: unknown): string | null {
  if (!(error instanceof ServiceError)) return null;
  if (error.code === 'invalid_credentials') return 'The password is wrong.';
  if (error.code === 'sign_in_required') return 'The address has an account by now: enter its password.';
  if (error.code === 'overloaded') return 'The service is busy. Please try again in a few seconds.';
  if (error.code === 'weak_password')
    return 'The password is among the most used ones. Please choose another.';
  if (error.code !== 'validation_failed') return null;
  const [first] = error.details ?? [];
  return first === undefined ? 'Please enter a password.' : `The password ${first.message}.`;
}
