import type { Html } from './html.js';
import { html } from './html.js';

/** What a form asks for, besides the press of its button. */
export interface PasswordForm {
  readonly action: string;
  readonly token: string;
  readonly email: string;
  readonly button: string;
  readonly intro: Html;
  /** A new password is entered twice and has a least length; an existing one is neither. */
  readonly newPassword: { readonly minLength: number } | null;
  /** Why the last try did not do. */
  readonly problem: string | null;
}

/** The action is relative, so that it holds under whatever path `public_url` has. */
export function buttonForm(action: string, token: string, button: string): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="token" value="${token}" />
    <button type="submit">${button}</button>
  </form>`;
}

function newPasswordFields(minLength: number): Html {
  return html`<label for="password">New password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      required
      minlength="${minLength}"
      maxlength="1024"
      aria-describedby="hint"
    />
    <p class="hint" id="hint">At least ${minLength} characters.</p>
    <label for="repeat">The same password again</label>
    <input
      id="repeat"
      name="repeat"
      type="password"
      autocomplete="new-password"
      required
      maxlength="1024"
    />`;
}

function currentPasswordField(): Html {
  return html`<label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      maxlength="1024"
    />`;
}

/** The address has no name and so is not sent; it tells a password manager whose password this is. */
export function passwordForm(form: PasswordForm): Html {
  const { problem, newPassword } = form;
  return html`${form.intro}
    ${problem === null ? null : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
    <form method="post" action="${form.action}">
      <input type="hidden" name="token" value="${form.token}" />
      <label for="email">E-mail address</label>
      <input id="email" type="email" value="${form.email}" autocomplete="username" readonly />
      ${newPassword === null ? currentPasswordField() : newPasswordFields(newPassword.minLength)}
      <button type="submit">${form.button}</button>
    </form>`;
}
