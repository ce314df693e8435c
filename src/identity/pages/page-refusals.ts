import { ServiceError } from '../../http/index.js';
import { html } from './html.js';
import type { Html } from './html.js';
import type { FormProblem } from './page-forms.js';
import { nextStep, page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';

const INVALID_LINK = 400;

/** The page of a link that cannot be used. @param next what the reader can do */
export function deadLink(next: string): PageAnswer {
  return page(
    INVALID_LINK,
    'This link does not work',
    html`<p role="alert">
        The link was used already, has expired or was replaced by a newer one, or a part of it is missing.
      </p>
      ${nextStep(next)}`,
  );
}

/** A refusal that the reader cannot correct on the page. @throws errors that are not refusals */
export function refused(error: unknown, next: string): PageAnswer {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'invalid_token') return deadLink(next);
  // A request from one of these pages always has its token and no other fields.
  if (error.code === 'validation_failed') return { ...deadLink(next), refusal: error.code };
  const answer = page(error.status, ...refusalText(error, next));
  return { ...answer, headers: error.headers, refusal: error.code };
}

/** Heading and text of the page of a refusal. */
function refusalText({ code, message }: ServiceError, next: string): [string, Html] {
  if (code === 'sign_up_closed')
    return [
      'Sign-up is closed',
      html`<p role="alert">This service does not accept new accounts, so the link cannot create one.</p>
        ${nextStep(
          'If you have an account with another address, sign in with it. Otherwise ask the operator of this service for an account.',
        )}`,
    ];
  if (code === 'rate_limited')
    return [
      'Too many attempts',
      html`<p role="alert">There were too many attempts from your network.</p>
        ${nextStep('Wait a few minutes, then open the link in the mail again.')}`,
    ];
  return [
    'That did not work',
    html`<p role="alert">${message}</p>
      ${nextStep(next)}`,
  ];
}

/** The form again, because of a refusal that the reader can correct. */
export function refusedForm(answer: PageAnswer, error: unknown): PageAnswer {
  return error instanceof ServiceError ? { ...answer, refusal: error.code } : answer;
}

/** The problem to show in the form; null if the reader cannot correct it there. */
export function problemOf(error: unknown): FormProblem | null {
  if (!(error instanceof ServiceError)) return null;
  const atPassword = (message: string): FormProblem => ({ field: 'password', message });
  switch (error.code) {
    case 'invalid_credentials':
      return atPassword('The password is wrong.');
    case 'sign_in_required':
      return atPassword('This address has an account now. Enter its password.');
    case 'weak_password':
      return atPassword('This password is one of the most used ones. Choose another.');
    case 'overloaded':
      return { field: null, message: 'The service is busy. Try again in a few seconds.' };
    case 'validation_failed':
      return problemOfField(error.details?.[0]);
    default:
      return null;
  }
}

function problemOfField(detail: { path: string; message: string } | undefined): FormProblem {
  if (detail?.path === 'repeat') return { field: 'repeat', message: 'The two passwords are not the same.' };
  const message = detail === undefined ? 'Enter a password.' : `The password ${detail.message}.`;
  return { field: 'password', message };
}
