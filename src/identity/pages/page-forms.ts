import type { Html } from './html.js';
import { html } from './html.js';
import type { PageView } from './page-view.js';

/** Why the last try failed: at one of the fields, or for the form as a whole. */
export interface FormProblem {
  readonly field: 'password' | 'repeat' | null;
  readonly message: string;
}

/** What a form asks for, besides pressing its button. */
export interface PasswordForm {
  readonly action: string;
  readonly token: string;
  readonly email: string;
  readonly button: string;
  readonly intro: Html;
  /** A new password is entered twice and has a minimum length; an existing one is entered once. */
  readonly newPassword: { readonly minLength: number } | null;
  readonly problem: FormProblem | null;
}

/** The action is relative, so that it works with any path in `public_url`. */
export function buttonForm(action: string, token: string, button: string): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="token" value="${token}" />
    <button type="submit">${button}</button>
  </form>`;
}

interface PasswordField {
  readonly name: 'password' | 'repeat';
  readonly label: string;
  readonly autocomplete: 'new-password' | 'current-password';
  readonly minLength?: number;
  readonly problem: FormProblem | null;
}

/** A screen reader reads the problem and the hint with the field that they are about. */
function passwordField(
  view: PageView,
  { name, label, autocomplete, minLength, problem }: PasswordField,
): Html {
  const message = problem?.field === name ? problem.message : null;
  const describedBy = [
    ...(message === null ? [] : [`${name}-problem`]),
    ...(minLength === undefined ? [] : [`${name}-hint`]),
  ].join(' ');
  return html`<label for="${name}">${label}</label>
    ${message === null ? null : problemText(message, `${name}-problem`)}
    <input
      id="${name}"
      name="${name}"
      type="password"
      autocomplete="${autocomplete}"
      required
      ${minLength === undefined ? null : html`minlength="${minLength}"`}
      maxlength="1024"
      ${message === null ? null : html`aria-invalid="true" autofocus`}
      ${describedBy === '' ? null : html`aria-describedby="${describedBy}"`}
    />
    ${
      minLength === undefined
        ? null
        : html`<p class="hint" id="${name}-hint">${view.text('page.field.length', { minLength })}</p>`
    }`;
}

function problemText(message: string, id: string): Html {
  return html`<p class="problem" id="${id}" role="alert">${message}</p>`;
}

/** The address has no name and so is not sent; it tells a password manager whose password this is. */
export function passwordForm(view: PageView, form: PasswordForm): Html {
  const { problem, newPassword } = form;
  const fields =
    newPassword === null
      ? [
          passwordField(view, {
            name: 'password',
            label: view.text('page.field.password'),
            autocomplete: 'current-password',
            problem,
          }),
        ]
      : [
          passwordField(view, {
            name: 'password',
            label: view.text('page.field.new_password'),
            autocomplete: 'new-password',
            minLength: newPassword.minLength,
            problem,
          }),
          passwordField(view, {
            name: 'repeat',
            label: view.text('page.field.repeat'),
            autocomplete: 'new-password',
            problem,
          }),
        ];
  return html`${form.intro} ${problem?.field === null ? problemText(problem.message, 'problem') : null}
    <form method="post" action="${form.action}">
      <input type="hidden" name="token" value="${form.token}" />
      <label for="email">${view.text('page.field.email')}</label>
      <input id="email" type="email" value="${form.email}" autocomplete="username" readonly />
      ${fields}
      <button type="submit">${form.button}</button>
    </form>`;
}
