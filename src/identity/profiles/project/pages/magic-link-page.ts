import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import { buttonForm, deadLink, html, page, refused, TokenForm } from '../../../pages/index.js';
import type { PageAnswer } from '../../../pages/index.js';
import { MagicLinks } from '../../../sign-in/methods/magic-links.js';
import { realmOf } from '../projects.js';
import { SessionGrants } from '../session-grants.js';

const NEXT_STEP = 'Ask for a new link where you sign in.';

/** The page that a magic link opens: it signs in on the press of a button, and gives what carries the session on. */
@Injectable()
export class MagicLinkPage {
  constructor(
    private readonly magicLinks: MagicLinks,
    private readonly grants: SessionGrants,
  ) {}

  async show(project: ResolvedProject, token: unknown): Promise<PageAnswer> {
    const user = typeof token === 'string' ? await this.magicLinks.peek(realmOf(project), token) : null;
    if (user === null || typeof token !== 'string') return deadLink(NEXT_STEP);
    return page(
      200,
      `Sign in to ${project.name}`,
      html`<p>Press the button to sign in as <strong>${user.email}</strong>.</p>
        ${buttonForm('magic-link', token, 'Sign in')}`,
    );
  }

  /** The refresh token is what an application takes a session over with: `POST /auth/v1/token`. */
  async submit(project: ResolvedProject, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      const { user, refreshToken } = await this.grants.followMagicLink(realmOf(project), token, origin);
      return page(
        200,
        'You are signed in',
        html`<p role="status">You are signed in to ${project.name} as <strong>${user.email}</strong>.</p>
          <label for="code">If the application asks for a code, paste this one. It works once.</label>
          <input id="code" type="text" value="${refreshToken}" autocomplete="off" readonly />`,
      );
    } catch (error) {
      return refused(error, NEXT_STEP);
    }
  }
}
