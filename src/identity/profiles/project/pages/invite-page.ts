import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import {
  deadLink,
  destinationText,
  goOn,
  html,
  leadingTo,
  nextStep,
  page,
  passwordForm,
  problemOf,
  refused,
  refusedForm,
  requireSame,
  TokenAndPasswordForm,
  tokenOf,
} from '../../../pages/index.js';
import type { PageAnswer, PageView } from '../../../pages/index.js';
import { PageEndings } from '../../../redirects/page-endings.js';
import { PasswordPolicy } from '../../../passwords/password-policy.js';
import { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import { realmOf } from '../../../own-account/own-account-access.js';

/** The page that an invitation opens: it sets the first password. */
@Injectable()
export class InvitePage {
  constructor(
    private readonly acceptance: InvitationAcceptance,
    private readonly policy: PasswordPolicy,
    private readonly endings: PageEndings,
  ) {}

  async show(view: PageView, project: ResolvedProject, token: unknown): Promise<PageAnswer> {
    return await this.form(view, project, token, 200, null);
  }

  async submit(view: PageView, project: ResolvedProject, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const form = await validated(TokenAndPasswordForm, body);
      requireSame(form);
      const { token, password } = form;
      const request = { realmId: realmOf(project), token, password, origin };
      const { user, location } = await this.acceptance.setPassword(request);
      const own = view.for(user);
      const brand = own.brand.name ?? project.ref;
      return (
        goOn(own, location) ??
        page(
          own,
          200,
          own.text('page.invitation.done'),
          html`<p role="status">${own.rich('page.invite.done_text', { email: user.email, brand })}</p>
            ${nextStep(own.text('page.invite.done_next'))}`,
        )
      );
    } catch (error) {
      const isCorrectable = problemOf(view, error, this.policy) !== null;
      if (!isCorrectable) return refused(view, error, view.text('page.invitation.dead_next'));
      return refusedForm(await this.form(view, project, tokenOf(body), 400, error), error);
    }
  }

  /** @param error why the last try failed */
  private async form(
    view: PageView,
    project: ResolvedProject,
    token: unknown,
    status: number,
    error: unknown,
  ): Promise<PageAnswer> {
    const found = typeof token === 'string' ? await this.acceptance.peek(realmOf(project), token) : null;
    if (found === null || typeof token !== 'string')
      return deadLink(view, view.text('page.invitation.dead_next'));
    const destination = await this.endings.destinationOf(realmOf(project), found.redirect);
    const own = view.for(found.user);
    const brand = own.brand.name ?? project.ref;
    const form = passwordForm(own, {
      action: 'invite',
      token,
      email: found.user.email,
      button: own.text('page.invitation.button'),
      intro: html`<p>${own.rich('page.invite.text', { brand })}</p>
        ${destinationText(own, destination)}`,
      newPassword: { minLength: this.policy.minLength },
      problem: problemOf(own, error, this.policy),
    });
    const heading = own.rich('page.invite.title', { brand });
    const answer = page(own, status, own.text('page.invite.title', { brand }), form, heading);
    return leadingTo(destination, answer);
  }
}
