import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { PublicUrl } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import { OneTimeTokenRefusals, OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import type { TokenPair } from '../../sessions/sessions.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
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
    private readonly outbox: MailOutbox,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Requests the mail, as often as the limits on mails allow. A worker looks up or creates the account when it composes
   * the mail: nothing here depends on it, so neither the response nor its time reveals it.
   */
  async request(realmId: RealmId, email: string, byProgram: boolean, origin: Origin): Promise<void> {
    const { base: baseUrl } = this.publicUrl;
    const mail = { kind: 'magic_link', realmId, email, origin, byProgram, baseUrl } as const;
    await this.outbox.enqueueWithinLimits(mail, { realmId, email, kind: 'magic_link' });
  }

  /** The user whom a valid token signs in. */
  async peek(realmId: RealmId, token: string): Promise<UserEntity | null> {
    return await this.tokens.peek(this.database.reader, realmId, token, 'magic_link');
  }

  /** Uses the token, which verifies the address, and opens a session. @throws invalid_token */
  async signIn(realmId: RealmId, token: string, origin: Origin): Promise<TokenPair> {
    const tokens = await this.signIns.complete('magic_link', origin, (tx) =>
      this.redeem(tx, realmId, token, origin),
    );
    if (tokens !== null) return tokens;
    throw await this.refusals.refusal(realmId, 'magic_link.refused', token, origin);
  }

  /** Uses the token up, which proves the address, and opens no session. @throws invalid_token */
  async confirm(realmId: RealmId, token: string, origin: Origin): Promise<UserEntity> {
    const user = await this.database.transaction((tx) => this.redeem(tx, realmId, token, origin));
    if (user !== null) return user;
    throw await this.refusals.refusal(realmId, 'magic_link.refused', token, origin);
  }

  private async redeem(tx: Tx, realmId: RealmId, token: string, origin: Origin): Promise<UserEntity | null> {
    const user = await this.tokens.consume(tx, realmId, token, 'magic_link');
    return user === null ? null : await this.proof.byOtherMail(tx, user, 'magic_link', origin);
  }
}
