import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import {
  deadLink,
  html,
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
import type { FormProblem, PageAnswer } from '../../../pages/index.js';
import { PasswordPolicy } from '../../../passwords/password-policy.js';
import { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import { realmOf } from '../projects.js';

const NEXT_STEP = 'Ask the person who invited you for a new invitation.';

/** The page that an invitation opens: it sets the first password. */
@Injectable()
export class InvitePage {
  constructor(
    private readonly acceptance: InvitationAcceptance,
    private readonly policy: PasswordPolicy,
  ) {}

  async show(project: ResolvedProject, token: unknown): Promise<PageAnswer> {
    return await this.form(project, token, 200, null);
  }

  async submit(project: ResolvedProject, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const form = await validated(TokenAndPasswordForm, body);
      requireSame(form);
      const { token, password } = form;
      const user = await this.acceptance.setPassword({ realmId: realmOf(project), token, password, origin });
      return page(
        200,
        'Welcome',
        html`<p role="status">
            Your account <strong>${user.email}</strong> at <strong>${project.name}</strong> is ready.
          </p>
          ${nextStep('Go back to the application and sign in with your password. You can close this page.')}`,
      );
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) return refused(error, NEXT_STEP);
      return refusedForm(await this.form(project, tokenOf(body), 400, problem), error);
    }
  }

  private async form(
    project: ResolvedProject,
    token: unknown,
    status: number,
    problem: FormProblem | null,
  ): Promise<PageAnswer> {
    const user = typeof token === 'string' ? await this.acceptance.peek(realmOf(project), token) : null;
    if (user === null || typeof token !== 'string') return deadLink(NEXT_STEP);
    const form = passwordForm({
      action: 'invite',
      token,
      email: user.email,
      button: 'Accept invitation',
      intro: html`<p>
        Choose a password for your new account at <strong>${project.name}</strong>, to which you are invited.
      </p>`,
      newPassword: { minLength: this.policy.minLength },
      problem,
    });
    return page(status, `Join ${project.name}`, form);
  }
}
