import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import { RedirectUrls } from '../../redirects/redirect-urls.js';
import type { RedirectRequest } from '../../redirects/redirect-urls.js';
import type { RequestedRedirect } from '../../redirects/requested-redirect.js';
import type { RealmId } from '../../users/user.repository.js';

/** An address that asks for a mail, and where its page ends. */
export interface MailRequest extends RedirectRequest {
  readonly email: string;
}

/**
 * Requests of mails that anyone may make for an address, as often as the limits on mails allow. A worker looks up the
 * account, or creates it for a magic link, when it composes the mail: nothing here depends on it, so neither the
 * response nor its time reveals it.
 */
@Injectable()
export class MailRequests {
  constructor(
    private readonly redirects: RedirectUrls,
    private readonly outbox: MailOutbox,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** @throws validation_failed for a redirect that is not allowed */
  async recovery(realmId: RealmId, request: MailRequest, origin: Origin): Promise<void> {
    const redirect = await this.redirects.require(realmId, request);
    await this.recoveryTo(realmId, request.email, redirect, origin);
  }

  /** @throws validation_failed for a redirect that is not allowed */
  async magicLink(realmId: RealmId, request: MailRequest, byProgram: boolean, origin: Origin): Promise<void> {
    const redirect = await this.redirects.require(realmId, request);
    await this.magicLinkTo(realmId, request.email, redirect, byProgram, origin);
  }

  /** As `recovery`, with a redirect that was checked. */
  async recoveryTo(
    realmId: RealmId,
    email: string,
    redirect: RequestedRedirect | null,
    origin: Origin,
  ): Promise<void> {
    const mail = { kind: 'recover', realmId, email, origin, redirect, baseUrl: this.publicUrl.base } as const;
    await this.outbox.enqueueWithinLimits(mail, { realmId, email, kind: 'recover' });
  }

  /** As `magicLink`, with a redirect that was checked. */
  async magicLinkTo(
    realmId: RealmId,
    email: string,
    redirect: RequestedRedirect | null,
    byProgram: boolean,
    origin: Origin,
  ): Promise<void> {
    const { base: baseUrl } = this.publicUrl;
    const mail = { kind: 'magic_link', realmId, email, origin, byProgram, redirect, baseUrl } as const;
    await this.outbox.enqueueWithinLimits(mail, { realmId, email, kind: 'magic_link' });
  }
}
