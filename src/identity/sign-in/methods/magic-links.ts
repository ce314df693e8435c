import { Injectable } from '@nestjs/common';
import { AuthMetrics } from '../../../audit/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { Origin } from '../../../http/index.js';
import { OneTimeTokenRefusals, OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import type { FoundToken, TokenUse } from '../../one-time-tokens/one-time-tokens.js';
import { PageEndings } from '../../redirects/page-endings.js';
import type { PageEnding } from '../../redirects/page-endings.js';
import type { TokenPair } from '../../sessions/sessions.js';
import type { RealmId } from '../../users/user.repository.js';
import { AddressProof } from '../address-proof.js';
import { SignIn } from '../sign-in.js';

/** Sign-in without a password, with the token of a mail. */
@Injectable()
export class MagicLinks {
  constructor(
    private readonly database: Database,
    private readonly proof: AddressProof,
    private readonly tokens: OneTimeTokens,
    private readonly refusals: OneTimeTokenRefusals,
    private readonly signIns: SignIn,
    private readonly endings: PageEndings,
    private readonly metrics: AuthMetrics,
  ) {}

  /** The user whom a valid token signs in. */
  async peek(realmId: RealmId, token: string): Promise<FoundToken | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, 'magic_link');
  }

  /**
   * Uses the token, which verifies the address, and opens a session.
   * @param codeVerifier needed where the request that mailed had a `code_challenge`
   * @throws invalid_token
   */
  async signIn(
    realmId: RealmId,
    token: string,
    codeVerifier: string | null,
    origin: Origin,
  ): Promise<TokenPair> {
    return await this.metrics.counted('magic_link', async () => {
      const tokens = await this.signIns.complete('magic_link', origin, async (tx) => {
        const found = await this.redeem(tx, realmId, token, { codeVerifier }, origin);
        return found?.user ?? null;
      });
      if (tokens !== null) return tokens;
      throw await this.refusals.refusal(realmId, 'magic_link.refused', token, origin);
    });
  }

  /** Uses the token up on its page, which proves the address and opens no session. @throws invalid_token */
  async confirm(realmId: RealmId, token: string, origin: Origin): Promise<PageEnding> {
    const list = await this.endings.listOf(realmId);
    const ending = await this.database.transaction(async (tx) => {
      const found = await this.redeem(tx, realmId, token, 'page', origin);
      if (found === null) return null;
      return await this.endings.end(tx, found.user, found.redirect, 'magic_link', list);
    });
    if (ending !== null) return ending;
    throw await this.refusals.refusal(realmId, 'magic_link.refused', token, origin);
  }

  private async redeem(
    tx: Tx,
    realmId: RealmId,
    token: string,
    use: TokenUse,
    origin: Origin,
  ): Promise<FoundToken | null> {
    const found = await this.tokens.consume(tx, realmId, token, 'magic_link', use);
    if (found === null) return null;
    return { ...found, user: await this.proof.byOtherMail(tx, found.user, 'magic_link', origin) };
  }
}
