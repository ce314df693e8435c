import { Injectable } from '@nestjs/common';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import { OneTimeTokenRefusals } from '../one-time-tokens/one-time-tokens.js';
import { PageEndings } from '../redirects/page-endings.js';
import type { PageEnding } from '../redirects/page-endings.js';
import type { RealmId } from '../users/user.repository.js';
import { AddressChangeRepository } from './address-change.repository.js';
import type { AddressChange } from './address-change.repository.js';
import { AddressReplacement } from './address-replacement.js';

/**
 * Changes of address, completed by the link that was mailed to the new one. Until then the account has the old address,
 * and from then on the new one: at no moment both or neither.
 */
@Injectable()
export class AddressChanges {
  constructor(
    private readonly database: Database,
    private readonly changes: AddressChangeRepository,
    private readonly replacement: AddressReplacement,
    private readonly endings: PageEndings,
    private readonly refusals: OneTimeTokenRefusals,
  ) {}

  /** The change of a valid token. Changes nothing. */
  async peek(realmId: RealmId, token: string): Promise<AddressChange | null> {
    return await this.changes.peek(this.database.reader, realmId, sha256(token));
  }

  /**
   * Puts the new address in force, as a verified one. Links that were mailed to the old one are void from then on.
   * @throws invalid_token, email_taken
   */
  async complete(realmId: RealmId, token: string, origin: Origin): Promise<void> {
    const completed = await this.database.transaction(async (tx) => {
      const change = await this.changes.take(tx, realmId, sha256(token));
      return change === null ? null : await this.replacement.put(tx, realmId, change, origin);
    });
    if (completed !== null) return;
    throw await this.refusals.refusal(realmId, 'user.email_change_refused', token, origin);
  }

  /** As `complete`, on the page of the mail. @throws invalid_token, email_taken */
  async completeOnPage(realmId: RealmId, token: string, origin: Origin): Promise<PageEnding> {
    const list = await this.endings.listOf(realmId);
    const ending = await this.database.transaction(async (tx) => {
      const change = await this.changes.take(tx, realmId, sha256(token));
      if (change === null) return null;
      const user = await this.replacement.put(tx, realmId, change, origin);
      return await this.endings.end(tx, user, change.redirect, 'email_change', list);
    });
    if (ending !== null) return ending;
    throw await this.refusals.refusal(realmId, 'user.email_change_refused', token, origin);
  }
}
