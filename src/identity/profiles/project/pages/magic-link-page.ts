import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import { buttonForm, deadLink, html, nextStep, page, refused, TokenForm } from '../../../pages/index.js';
import type { PageAnswer } from '../../../pages/index.js';
import { MagicLinks } from '../../../sign-in/methods/magic-links.js';
import { realmOf } from '../projects.js';

const NEXT_STEP = 'Go back to the application where you sign in, and ask for a new mail.';

/**
 * The page that the link of a magic-link mail opens. It confirms the address and opens no session: a page cannot hand
 * one to the application without showing a token. The application signs in with the code of the mail.
 */
@Injectable()
export class MagicLinkPage {
  constructor(private readonly magicLinks: MagicLinks) {}

  async show(project: ResolvedProject, token: unknown): Promise<PageAnswer> {
    const user = typeof token === 'string' ? await this.magicLinks.peek(realmOf(project), token) : null;
    if (user === null || typeof token !== 'string') return deadLink(NEXT_STEP);
    return page(
      200,
      'Confirm your address',
      html`<p>
          Confirm that <strong>${user.email}</strong> is your address at <strong>${project.name}</strong>, if
          you asked for the mail.
        </p>
        ${buttonForm('magic-link', token, 'Confirm address')}
        ${nextStep(
          'To sign in, enter the code of the mail in the application instead. The code works once: this button uses it up.',
        )}`,
    );
  }

  async submit(project: ResolvedProject, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      const user = await this.magicLinks.confirm(realmOf(project), token, origin);
      return page(
        200,
        'Address confirmed',
        html`<p role="status"><strong>${user.email}</strong> is confirmed.</p>
          ${nextStep('Go back to the application, and ask for a new mail to sign in. You can close this page.')}`,
      );
    } catch (error) {
      return refused(error, NEXT_STEP);
    }
  }
}
