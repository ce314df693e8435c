import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import { buttonForm, deadLink, html, nextStep, page, refused, TokenForm } from '../../../pages/index.js';
import type { PageAnswer } from '../../../pages/index.js';
import { AddressVerification } from '../../../sign-in/methods/address-verification.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';

const NEXT_STEP = 'Sign in to the application where you signed up, and ask for a new confirmation mail.';

/** The page that a verification mail opens. */
@Injectable()
export class VerifyPage {
  constructor(private readonly verification: AddressVerification) {}

  async show(token: unknown): Promise<PageAnswer> {
    const user = typeof token === 'string' ? await this.verification.peek(DEPLOYMENT_REALM, token) : null;
    if (user === null || typeof token !== 'string') return deadLink(NEXT_STEP);
    return page(
      200,
      'Confirm your address',
      html`<p>
          Someone signed up as <strong>${user.email}</strong>. If it was you, confirm that the address is
          yours.
        </p>
        ${buttonForm('verify', token, 'Confirm address')}
        ${nextStep('If you did not sign up, close this page. Do not confirm an account that is not yours.')}`,
    );
  }

  async submit(body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      const user = await this.verification.verify(DEPLOYMENT_REALM, token, origin);
      return page(
        200,
        'Address confirmed',
        html`<p role="status"><strong>${user.email}</strong> is confirmed.</p>
          ${nextStep('Go back to the application and sign in. You can close this page.')}`,
      );
    } catch (error) {
      return refused(error, NEXT_STEP);
    }
  }
}
