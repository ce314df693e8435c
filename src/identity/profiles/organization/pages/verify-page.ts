import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import { buttonForm, deadLink, html, page, refused, TokenForm } from '../../../pages/index.js';
import type { PageAnswer } from '../../../pages/index.js';
import { AddressVerification } from '../../../sign-in/methods/address-verification.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';

const NEXT_STEP = 'Sign in where you signed up, and ask for a new confirmation mail.';

/** The page that a verification mail opens. */
@Injectable()
export class VerifyPage {
  constructor(private readonly verification: AddressVerification) {}

  async show(token: unknown): Promise<PageAnswer> {
    const user = typeof token === 'string' ? await this.verification.peek(DEPLOYMENT_REALM, token) : null;
    if (user === null || typeof token !== 'string') return deadLink(NEXT_STEP);
    return page(
      200,
      'Confirm your e-mail address',
      html`<p>
          An account was made with <strong>${user.email}</strong>. Press the button to confirm that the
          address and the account are yours.
        </p>
        <p>If you have not signed up, close this page: whoever did must not have your confirmation.</p>
        ${buttonForm('verify', token, 'Confirm address')}`,
    );
  }

  async submit(body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      const user = await this.verification.verify(DEPLOYMENT_REALM, token, origin);
      return page(
        200,
        'Address confirmed',
        html`<p role="status"><strong>${user.email}</strong> is confirmed. You can close this page.</p>`,
      );
    } catch (error) {
      return refused(error, NEXT_STEP);
    }
  }
}
