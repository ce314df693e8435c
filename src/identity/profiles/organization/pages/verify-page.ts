import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import {
  buttonForm,
  deadLink,
  destinationText,
  goOn,
  html,
  leadingTo,
  nextStep,
  page,
  refused,
  TokenForm,
  tokenOf,
} from '../../../pages/index.js';
import type { PageAnswer, PageView } from '../../../pages/index.js';
import { PageEndings } from '../../../redirects/page-endings.js';
import { AddressVerification } from '../../../sign-in/methods/address-verification.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';

/** The page that a verification mail opens. */
@Injectable()
export class VerifyPage {
  constructor(
    private readonly verification: AddressVerification,
    private readonly endings: PageEndings,
  ) {}

  async show(view: PageView, token: unknown): Promise<PageAnswer> {
    const found = typeof token === 'string' ? await this.verification.peek(DEPLOYMENT_REALM, token) : null;
    if (found === null || typeof token !== 'string')
      return deadLink(view, view.text('page.verify.dead_next'), token);
    const destination = await this.endings.destinationOf(DEPLOYMENT_REALM, found.redirect);
    const own = view.for(found.user);
    const confirmation = page(
      own,
      200,
      own.text('page.verify.title'),
      html`<p>${own.rich('page.verify.text', { email: found.user.email })}</p>
        ${destinationText(own, destination)} ${buttonForm('verify', token, own.text('page.verify.button'))}
        ${nextStep(own.text('page.verify.stranger'))}`,
    );
    return leadingTo(destination, confirmation);
  }

  async submit(view: PageView, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      const { user, location } = await this.verification.verifyOnPage(DEPLOYMENT_REALM, token, origin);
      const own = view.for(user);
      return (
        goOn(own, location) ??
        page(
          own,
          200,
          own.text('page.verify.done'),
          html`<p role="status">${own.rich('page.verify.done_text', { email: user.email })}</p>
            ${nextStep(own.text('page.verify.done_next'))}`,
        )
      );
    } catch (error) {
      return refused(view, error, view.text('page.verify.dead_next'), tokenOf(body));
    }
  }
}
