import { ServiceError } from '../../http/index.js';
import type { ErrorCode } from '../../http/index.js';
import type { MessageKey } from '../languages/index.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import { html } from './html.js';
import type { Html } from './html.js';
import { buttonForm } from './page-forms.js';
import type { FormProblem } from './page-forms.js';
import { nextStep, page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';
import type { PageView } from './page-view.js';

const INVALID_LINK = 400;
const MAX_TOKEN_LENGTH = 512;

/**
 * The page of a link that cannot be used.
 * @param next what the reader can do
 * @param token of a mail that can be sent again, if it can
 */
export function deadLink(view: PageView, next: string, token: unknown = null): PageAnswer {
  const isSendable = typeof token === 'string' && token.length > 0 && token.length <= MAX_TOKEN_LENGTH;
  return page(
    view,
    INVALID_LINK,
    view.text('page.dead_link.title'),
    html`<p role="alert">${view.text('page.dead_link.text')}</p>
      ${isSendable ? newLinkForm(view, token) : null} ${nextStep(next)}`,
  );
}

function newLinkForm(view: PageView, token: string): Html {
  return html`<p>${view.text('page.dead_link.new_link')}</p>
    ${buttonForm('new-link', token, view.text('page.dead_link.button'))}`;
}

/** A refusal that the reader cannot correct on the page. @param token as `deadLink` has it @throws errors that are not refusals */
export function refused(view: PageView, error: unknown, next: string, token: unknown = null): PageAnswer {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'invalid_token') return deadLink(view, next, token);
  // A request from one of these pages always has its token and no other fields.
  if (error.code === 'validation_failed') return { ...deadLink(view, next), refusal: error.code };
  const answer = page(view, error.status, ...refusalText(view, error.code, next));
  return { ...answer, headers: { ...error.headers, ...answer.headers }, refusal: error.code };
}

/** What a reader can know of a refusal. */
const REFUSALS = {
  already_member: 'page.refused.already_member',
  email_not_verified: 'page.refused.email_not_verified',
  email_taken: 'page.refused.email_taken',
  invitation_void: 'page.refused.invitation_void',
  overloaded: 'page.problem.overloaded',
  role_deleted: 'page.refused.role_deleted',
  user_disabled: 'page.refused.user_disabled',
} as const satisfies Partial<Record<ErrorCode, MessageKey>>;

function isExplained(code: ErrorCode): code is keyof typeof REFUSALS {
  return Object.hasOwn(REFUSALS, code);
}

/** Heading and text of the page of a refusal. */
function refusalText(view: PageView, code: ErrorCode, next: string): [string, Html] {
  const known = code === 'sign_up_closed' || code === 'rate_limited' ? code : null;
  if (known !== null)
    return [
      view.text(`page.${known}.title`),
      html`<p role="alert">${view.text(`page.${known}.text`)}</p>
        ${nextStep(view.text(`page.${known}.next`))}`,
    ];
  return [
    view.text('page.refused.title'),
    html`<p role="alert">${view.text(isExplained(code) ? REFUSALS[code] : 'page.refused.text')}</p>
      ${nextStep(next)}`,
  ];
}

/** The form again, because of a refusal that the reader can correct. */
export function refusedForm(answer: PageAnswer, error: unknown): PageAnswer {
  return error instanceof ServiceError ? { ...answer, refusal: error.code } : answer;
}

/** The problem to show in the form; null if the reader cannot correct it there. */
export function problemOf(view: PageView, error: unknown, policy: PasswordPolicy): FormProblem | null {
  if (!(error instanceof ServiceError)) return null;
  switch (error.code) {
    case 'invalid_credentials':
    case 'sign_in_required':
    case 'weak_password':
      return { field: 'password', message: view.text(`page.problem.${error.code}`) };
    case 'overloaded':
      return { field: null, message: view.text('page.problem.overloaded') };
    case 'validation_failed':
      return problemOfField(view, policy, error.details?.[0]);
    default:
      return null;
  }
}

function problemOfField(
  view: PageView,
  { minLength, tooShort }: PasswordPolicy,
  detail: { path: string; message: string } | undefined,
): FormProblem {
  if (detail?.path === 'repeat') return { field: 'repeat', message: view.text('page.problem.repeat') };
  const isShort = detail?.message === tooShort;
  const message = isShort
    ? view.text('page.problem.password_length', { minLength })
    : view.text('page.problem.enter_password');
  return { field: 'password', message };
}
