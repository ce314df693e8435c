import { Injectable } from '@nestjs/common';
import { validated } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { AddressChanges } from '../address-changes/address-changes.js';
import { PageEndings } from '../redirects/page-endings.js';
import type { RealmId } from '../users/user.repository.js';
import { html } from './html.js';
import { TokenForm } from './page-form.js';
import { buttonForm } from './page-forms.js';
import { nextStep, page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';
import { destinationText, goOn, leadingTo } from './redirects.js';
import { deadLink, refused } from './page-refusals.js';
import type { PageView } from './page-view.js';

/** The page that the mail to a new address opens. */
@Injectable()
export class ChangeEmailPage {
  constructor(
    private readonly changes: AddressChanges,
    private readonly endings: PageEndings,
  ) {}

  async show(view: PageView, realmId: RealmId, token: unknown): Promise<PageAnswer> {
    const change = typeof token === 'string' ? await this.changes.peek(realmId, token) : null;
    if (change === null || typeof token !== 'string')
      return deadLink(view, view.text('page.change_email.dead_next'));
    const destination = await this.endings.destinationOf(realmId, change.redirect);
    const own = view.for(change);
    const { newEmail, formerEmail } = change;
    const confirmation = page(
      own,
      200,
      own.text('page.change_email.title'),
      html`<p>${own.rich('page.change_email.text', { newEmail, formerEmail })}</p>
        ${destinationText(own, destination)}
        ${buttonForm('change-email', token, own.text('page.change_email.button'))}
        ${nextStep(own.text('page.change_email.stranger'))}`,
    );
    return leadingTo(destination, confirmation);
  }

  async submit(view: PageView, realmId: RealmId, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      const { user, location } = await this.changes.completeOnPage(realmId, token, origin);
      const own = view.for(user);
      return (
        goOn(own, location) ??
        page(
          own,
          200,
          own.text('page.change_email.done'),
          html`<p role="status">${own.rich('page.change_email.done_text', { email: user.email })}</p>
            ${nextStep(own.text('page.change_email.done_next'))}`,
        )
      );
    } catch (error) {
      return refused(view, error, view.text('page.change_email.dead_next'));
    }
  }
}
