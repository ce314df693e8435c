import { Injectable, Optional } from '@nestjs/common';
import { ServiceError, validated } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import {
  deadLink,
  requireSame,
  html,
  nextStep,
  page,
  passwordForm,
  problemOf,
  refused,
  refusedForm,
  TokenAndPasswordForm,
  tokenOf,
} from '../../../pages/index.js';
import type { FormProblem, PageAnswer } from '../../../pages/index.js';
import { PasswordPolicy } from '../../../passwords/password-policy.js';
import { InvitationEntry } from '../organizations.js';
import type { InvitationDescription } from '../organizations.js';

const NEXT_STEP = 'Ask the person who invited you for a new invitation.';

/** The page that an invitation opens: it makes the account where there is none, else asks for its password. */
@Injectable()
export class InvitationPage {
  constructor(
    private readonly policy: PasswordPolicy,
    @Optional() private readonly invitations?: InvitationEntry,
  ) {}

  async show(token: unknown): Promise<PageAnswer> {
    try {
      return await this.form(token, 200, null);
    } catch (error) {
      return refused(error, NEXT_STEP);
    }
  }

  async submit(body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const form = await validated(TokenAndPasswordForm, body);
      const offer = await this.accept(form, origin);
      return page(
        200,
        'Welcome',
        html`<p role="status">
            <strong>${offer.email}</strong> is now a member of <strong>${offer.orgName}</strong> with the role
            <strong>${offer.role}</strong>.
          </p>
          ${nextStep('Go back to the application and sign in. You can close this page.')}`,
      );
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) return refused(error, NEXT_STEP);
      return refusedForm(await this.form(tokenOf(body), 400, problem), error);
    }
  }

  private async accept(form: TokenAndPasswordForm, origin: Origin): Promise<InvitationDescription> {
    const { token, password } = form;
    const offer = await this.offerOf(token);
    if (offer === null || this.invitations === undefined) throw new ServiceError('invalid_token');
    if (offer.needs === 'password') requireSame(form);
    await this.invitations.acceptWithPassword(token, password, origin);
    return offer;
  }

  private async offerOf(token: unknown): Promise<InvitationDescription | null> {
    if (typeof token !== 'string' || this.invitations === undefined) return null;
    return await this.invitations.describe(token);
  }

  private async form(token: unknown, status: number, problem: FormProblem | null): Promise<PageAnswer> {
    const offer = await this.offerOf(token);
    if (offer === null || typeof token !== 'string') return deadLink(NEXT_STEP);
    const isNew = offer.needs === 'password';
    const how = isNew
      ? 'Choose a password for your new account.'
      : 'This address has an account. Enter its password.';
    const form = passwordForm({
      action: 'invitation',
      token,
      email: offer.email,
      button: 'Accept invitation',
      intro: html`<p>
          You are invited to join <strong>${offer.orgName}</strong> with the role
          <strong>${offer.role}</strong>.
        </p>
        <p>${how}</p>`,
      newPassword: isNew ? { minLength: this.policy.minLength } : null,
      problem,
    });
    return page(status, `Join ${offer.orgName}`, form);
  }
}
