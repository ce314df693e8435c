import { Injectable } from '@nestjs/common';
import { randomToken, sha256 } from '../../platform/crypto/index.js';
import type { Tx } from '../../platform/database/index.js';
import { redirectWithCode } from '../../platform/redirects/index.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { RedirectUrls } from './redirect-urls.js';
import type { RedirectList } from './redirect-urls.js';
import type { RequestedRedirect } from './requested-redirect.js';
import { SignInCodeRepository } from './sign-in-code.repository.js';
import type { CodeProof } from './sign-in-code.repository.js';

/** What the page of a mail did, and where it leads. */
export interface PageEnding {
  readonly user: UserEntity;
  /** The URL of the application with a code; null where the page itself is the end. */
  readonly location: string | null;
}

/** Where the pages of mails end: in the application, with a one-time code, if the request that mailed asked for it. */
@Injectable()
export class PageEndings {
  constructor(
    private readonly redirects: RedirectUrls,
    private readonly codes: SignInCodeRepository,
  ) {}

  /** The list to pass to `end`, read before its transaction. */
  async listOf(realmId: RealmId): Promise<RedirectList> {
    return await this.redirects.listOf(realmId);
  }

  /** Where a link would lead now; null for nowhere. */
  async destinationOf(realmId: RealmId, redirect: RequestedRedirect | null): Promise<string | null> {
    return redirect === null ? null : ((await this.listOf(realmId)).allowed(redirect)?.url ?? null);
  }

  /**
   * Makes the code, in the transaction that used the mail's token up.
   * @param user as it is after the page's change
   */
  async end(
    tx: Tx,
    user: UserEntity,
    redirect: RequestedRedirect | null,
    proof: CodeProof,
    list: RedirectList,
  ): Promise<PageEnding> {
    const allowed = list.allowed(redirect);
    if (allowed === null) return { user, location: null };
    const code = randomToken();
    const { url, codeChallenge } = allowed;
    const isMade = await this.codes.insertSignInCode(tx, user, {
      codeHash: sha256(code),
      proof,
      codeChallenge,
    });
    return { user, location: isMade ? redirectWithCode(url, code) : null };
  }
}
