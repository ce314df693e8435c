import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../http/index.js';
import { matchesRedirectPatterns, redirectUrlProblem } from '../../platform/redirects/index.js';
import type { RealmId } from '../users/user.repository.js';
import type { RequestedRedirect } from './requested-redirect.js';

/** The redirect URLs that a realm allows. The active profile provides it. */
export abstract class RedirectLists {
  /** As they are now, and not from a cache. */
  abstract patternsOf(realmId: RealmId): Promise<readonly string[]>;
  /** Where they are set, for the message of a refusal. */
  abstract readonly setting: string;
}

/** The fields of a request that mails a link. */
export interface RedirectRequest {
  readonly redirect_to?: string;
  readonly code_challenge?: string;
}

/** The list of a realm at one moment. */
export class RedirectList {
  constructor(private readonly patterns: readonly string[]) {}

  /** The redirect, if it is allowed now. */
  allowed(redirect: RequestedRedirect | null): RequestedRedirect | null {
    return redirect !== null && matchesRedirectPatterns(this.patterns, redirect.url) ? redirect : null;
  }
}

/** Which URLs the pages of mails may lead to. */
@Injectable()
export class RedirectUrls {
  constructor(private readonly lists: RedirectLists) {}

  /** @throws validation_failed for a URL that is not allowed, and for a challenge without one */
  async require(realmId: RealmId, request: RedirectRequest): Promise<RequestedRedirect | null> {
    const { redirect_to: url, code_challenge: codeChallenge = null } = request;
    if (url === undefined) {
      if (codeChallenge !== null) throw refusal('code_challenge', 'needs redirect_to');
      return null;
    }
    const problem = redirectUrlProblem(url);
    if (problem !== null) throw refusal('redirect_to', problem);
    const redirect = { url, codeChallenge };
    if ((await this.listOf(realmId)).allowed(redirect) !== null) return redirect;
    throw refusal('redirect_to', `matches no entry of ${this.lists.setting}`);
  }

  /** To be called before a transaction: it may query the database. */
  async listOf(realmId: RealmId): Promise<RedirectList> {
    return new RedirectList(await this.lists.patternsOf(realmId));
  }
}

function refusal(path: string, message: string): ServiceError {
  return new ServiceError('validation_failed', { details: [{ path, message }] });
}
