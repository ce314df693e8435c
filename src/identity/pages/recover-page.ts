import { Injectable } from '@nestjs/common';
import { validated } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import { PageEndings } from '../redirects/page-endings.js';
import { Recovery } from '../sign-in/methods/recovery.js';
import type { RealmId } from '../users/user.repository.js';
import { TokenAndPasswordForm } from './page-form.js';
import { requireSame, tokenOf } from './page-form.js';
import { html } from './html.js';
import { passwordForm } from './page-forms.js';
import { nextStep, page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';
import { destinationText, goOn, leadingTo } from './redirects.js';
import { deadLink, problemOf, refused, refusedForm } from './page-refusals.js';
import type { PageView } from './page-view.js';

/** The page that a recovery mail opens. */
@Injectable()
export class RecoverPage {
  constructor(
    private readonly recovery: Recovery,
    private readonly policy: PasswordPolicy,
    private readonly endings: PageEndings,
  ) {}

  async show(view: PageView, realmId: RealmId, token: unknown): Promise<PageAnswer> {
    return await this.form(view, realmId, token, 200, null);
  }

  async submit(view: PageView, realmId: RealmId, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const form = await validated(TokenAndPasswordForm, body);
      requireSame(form);
      const { user, location } = await this.recovery.setPassword(realmId, form.token, form.password, origin);
      const own = view.for(user);
      return (
        goOn(own, location) ??
        page(
          own,
          200,
          own.text('page.recover.done'),
          html`<p role="status">${own.rich('page.recover.done_text', { email: user.email })}</p>
            ${nextStep(own.text('page.recover.done_next'))}`,
        )
      );
    } catch (error) {
      const isCorrectable = problemOf(view, error, this.policy) !== null;
      if (!isCorrectable) return refused(view, error, view.text('page.recover.dead_next'), tokenOf(body));
      return refusedForm(await this.form(view, realmId, tokenOf(body), 400, error), error);
    }
  }

  /** @param error why the last try failed */
  private async form(
    view: PageView,
    realmId: RealmId,
    token: unknown,
    status: number,
    error: unknown,
  ): Promise<PageAnswer> {
    const found = typeof token === 'string' ? await this.recovery.peek(realmId, token) : null;
    if (found === null || typeof token !== 'string')
      return deadLink(view, view.text('page.recover.dead_next'), token);
    const destination = await this.endings.destinationOf(realmId, found.redirect);
    const own = view.for(found.user);
    const form = passwordForm(own, {
      action: 'recover',
      token,
      email: found.user.email,
      button: own.text('page.recover.button'),
      intro: html`<p>${own.text('page.recover.text')}</p>
        ${destinationText(own, destination)}`,
      newPassword: { minLength: this.policy.minLength },
      problem: problemOf(own, error, this.policy),
    });
    return leadingTo(destination, page(own, status, own.text('page.recover.title'), form));
  }
}
