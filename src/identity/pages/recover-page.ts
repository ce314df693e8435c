import { Injectable } from '@nestjs/common';
import { validated } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import { Recovery } from '../sign-in/methods/recovery.js';
import type { RealmId } from '../users/user.repository.js';
import { TokenAndPasswordForm } from './page-form.js';
import { requireSame, tokenOf } from './page-form.js';
import { html } from './html.js';
import { passwordForm } from './page-forms.js';
import type { FormProblem } from './page-forms.js';
import { nextStep, page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';
import { deadLink, problemOf, refused, refusedForm } from './page-refusals.js';

const NEXT_STEP = 'Go back to the application where you sign in, and ask for a new password again.';

/** The page that a recovery mail opens. */
@Injectable()
export class RecoverPage {
  constructor(
    private readonly recovery: Recovery,
    private readonly policy: PasswordPolicy,
  ) {}

  async show(realmId: RealmId, token: unknown): Promise<PageAnswer> {
    return await this.form(realmId, token, 200, null);
  }

  async submit(realmId: RealmId, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const form = await validated(TokenAndPasswordForm, body);
      requireSame(form);
      const user = await this.recovery.setPassword(realmId, form.token, form.password, origin);
      return page(
        200,
        'Your password is set',
        html`<p role="status">
            The new password of <strong>${user.email}</strong> is valid now, and you are signed out on every
            device.
          </p>
          ${nextStep('Go back to the application and sign in with the new password. You can close this page.')}`,
      );
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) return refused(error, NEXT_STEP);
      return refusedForm(await this.form(realmId, tokenOf(body), 400, problem), error);
    }
  }

  private async form(
    realmId: RealmId,
    token: unknown,
    status: number,
    problem: FormProblem | null,
  ): Promise<PageAnswer> {
    const user = typeof token === 'string' ? await this.recovery.peek(realmId, token) : null;
    if (user === null || typeof token !== 'string') return deadLink(NEXT_STEP);
    const form = passwordForm({
      action: 'recover',
      token,
      email: user.email,
      button: 'Set password',
      intro: html`<p>Choose a new password. It signs you out on every device.</p>`,
      newPassword: { minLength: this.policy.minLength },
      problem,
    });
    return page(status, 'Set a new password', form);
  }
}
