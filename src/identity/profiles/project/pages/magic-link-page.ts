import { Injectable } from '@nestjs/common';
import { validated } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
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
import { MagicLinks } from '../../../sign-in/methods/magic-links.js';
import { realmOf } from '../../../own-account/own-account-access.js';

/**
 * The page that the link of a magic-link mail opens. It opens no session: with a redirect URL the application does, by
 * the code that the page adds to it; else it only confirms the address, and the application signs in with the code of
 * the mail.
 */
@Injectable()
export class MagicLinkPage {
  constructor(
    private readonly magicLinks: MagicLinks,
    private readonly endings: PageEndings,
  ) {}

  async show(view: PageView, project: ResolvedProject, token: unknown): Promise<PageAnswer> {
    const found = typeof token === 'string' ? await this.magicLinks.peek(realmOf(project), token) : null;
    if (found === null || typeof token !== 'string')
      return deadLink(view, view.text('page.magic_link.dead_next'), token);
    const destination = await this.endings.destinationOf(realmOf(project), found.redirect);
    const own = view.for(found.user);
    const brand = own.brand.name ?? project.ref;
    const { email } = found.user;
    if (destination !== null)
      return leadingTo(destination, signInPage(own, { brand, email, token, destination }));
    return page(
      own,
      200,
      own.text('page.magic_link.title'),
      html`<p>${own.rich('page.magic_link.text', { email, brand })}</p>
        ${buttonForm('magic-link', token, own.text('page.verify.button'))}
        ${nextStep(own.text('page.magic_link.code'))}`,
    );
  }

  async submit(view: PageView, project: ResolvedProject, body: unknown, origin: Origin): Promise<PageAnswer> {
    try {
      const { token } = await validated(TokenForm, body);
      const { user, location } = await this.magicLinks.confirm(realmOf(project), token, origin);
      const own = view.for(user);
      return (
        goOn(own, location) ??
        page(
          own,
          200,
          own.text('page.verify.done'),
          html`<p role="status">${own.rich('page.verify.done_text', { email: user.email })}</p>
            ${nextStep(own.text('page.magic_link.done_next'))}`,
        )
      );
    } catch (error) {
      return refused(view, error, view.text('page.magic_link.dead_next'), tokenOf(body));
    }
  }
}

/** What the page of a link with a destination shows. */
interface SignInOffer {
  readonly brand: string;
  readonly email: string;
  readonly token: string;
  readonly destination: string;
}

function signInPage(view: PageView, { brand, email, token, destination }: SignInOffer): PageAnswer {
  return page(
    view,
    200,
    view.text('page.magic_link.sign_in', { brand }),
    html`<p>${view.rich('page.magic_link.sign_in_text', { email })}</p>
      ${destinationText(view, destination)}
      ${buttonForm('magic-link', token, view.text('page.magic_link.sign_in_button'))}
      ${nextStep(view.text('page.magic_link.stranger'))}`,
    view.rich('page.magic_link.sign_in', { brand }),
  );
}
