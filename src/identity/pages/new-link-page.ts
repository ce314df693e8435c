import { Injectable } from '@nestjs/common';
import { validated } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { LinkRenewal } from '../sign-in/methods/link-renewal.js';
import type { RealmId } from '../users/user.repository.js';
import { html } from './html.js';
import { TokenForm } from './page-form.js';
import { nextStep, page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';
import { refused } from './page-refusals.js';
import type { PageView } from './page-view.js';

/** What the button on the page of a dead link does: another mail in place of the one that the link was in. */
@Injectable()
export class NewLinkPage {
  constructor(private readonly renewal: LinkRenewal) {}

  /** The same page whether or not a mail leaves. */
  async submit(view: PageView, realmId: RealmId, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      await this.renewal.renew(realmId, token, origin);
      return page(
        view,
        200,
        view.text('page.new_link.title'),
        html`<p role="status">${view.text('page.new_link.text')}</p>
          ${nextStep(view.text('page.new_link.next'))}`,
      );
    } catch (error) {
      return refused(view, error, view.text('page.new_link.dead_next'));
    }
  }
}
