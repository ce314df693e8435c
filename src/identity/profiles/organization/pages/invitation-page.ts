import { Injectable, Optional } from '@nestjs/common';
import { ServiceError, validated } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import {
  deadLink,
  destinationText,
  goOn,
  leadingTo,
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
import type { PageAnswer, PageView } from '../../../pages/index.js';
import { PasswordPolicy } from '../../../passwords/password-policy.js';
import { PageEndings } from '../../../redirects/page-endings.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import { InvitationTokens } from '../organizations.js';
import type { InvitationDescription } from '../organizations.js';

/** The invitation that was accepted, and where its page ends. */
interface Accepted {
  readonly offer: InvitationDescription;
  readonly location: string | null;
}

/** The page that an invitation opens: it makes the account where there is none, else asks for its password. */
@Injectable()
export class InvitationPage {
  constructor(
    private readonly policy: PasswordPolicy,
    private readonly endings: PageEndings,
    @Optional() private readonly invitations?: InvitationTokens,
  ) {}

  async show(view: PageView, token: unknown): Promise<PageAnswer> {
    try {
      return await this.form(view, token, 200, null);
    } catch (error) {
      return refused(view, error, view.text('page.invitation.dead_next'));
    }
  }

  async submit(view: PageView, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const form = await validated(TokenAndPasswordForm, body);
      const { offer, location } = await this.accept(form, origin);
      const { email, orgName: org, role } = offer;
      const own = view.for(offer);
      return (
        goOn(own, location) ??
        page(
          own,
          200,
          own.text('page.invitation.done'),
          html`<p role="status">${own.rich('page.invitation.done_text', { email, org, role })}</p>
            ${nextStep(own.text('page.invitation.done_next'))}`,
        )
      );
    } catch (error) {
      const isCorrectable = problemOf(view, error, this.policy) !== null;
      if (!isCorrectable) return refused(view, error, view.text('page.invitation.dead_next'));
      return refusedForm(await this.form(view, tokenOf(body), 400, error), error);
    }
  }

  private async accept(form: TokenAndPasswordForm, origin: Origin): Promise<Accepted> {
    const { token, password } = form;
    const offer = await this.offerOf(token);
    if (offer === null || this.invitations === undefined) throw new ServiceError('invalid_token');
    if (offer.needs === 'password') requireSame(form);
    const { location } = await this.invitations.acceptWithPassword(token, password, origin);
    return { offer, location };
  }

  private async offerOf(token: unknown): Promise<InvitationDescription | null> {
    if (typeof token !== 'string' || this.invitations === undefined) return null;
    return await this.invitations.describe(token);
  }

  /** @param error why the last try failed */
  private async form(view: PageView, token: unknown, status: number, error: unknown): Promise<PageAnswer> {
    const offer = await this.offerOf(token);
    if (offer === null || typeof token !== 'string')
      return deadLink(view, view.text('page.invitation.dead_next'));
    const { orgName: org, role, redirectTo: url } = offer;
    const redirect = url === null ? null : { url, codeChallenge: null };
    const destination = await this.endings.destinationOf(DEPLOYMENT_REALM, redirect);
    const own = view.for(offer);
    const isNew = offer.needs === 'password';
    const form = passwordForm(own, {
      action: 'invitation',
      token,
      email: offer.email,
      button: own.text('page.invitation.button'),
      intro: html`<p>${own.rich('page.invitation.text', { org, role })}</p>
        <p>${own.text(isNew ? 'page.invitation.new_account' : 'page.invitation.account')}</p>
        ${destinationText(own, destination)}`,
      newPassword: isNew ? { minLength: this.policy.minLength } : null,
      problem: problemOf(own, error, this.policy),
    });
    const heading = own.rich('page.invitation.title', { org });
    const answer = page(own, status, own.text('page.invitation.title', { org }), form, heading);
    return leadingTo(destination, answer);
  }
}
