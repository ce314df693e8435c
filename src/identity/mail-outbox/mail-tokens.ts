import { Injectable } from '@nestjs/common';
import { KeyRing, randomToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.js';
import type { UserEntity } from '../users/user.entity.js';
import { UserRepository } from '../users/user.repository.js';
import { outgoingMailPlace } from './outgoing-mail.js';
import type { ClaimedMail, OutgoingMail } from './outgoing-mail.js';
import { OutgoingMailRepository } from './outgoing-mail.repository.js';

/** Whom a mail is for, and the token of its link. */
export interface MailToken {
  readonly user: UserEntity;
  readonly token: string;
}

/**
 * The one token of each mail. It is made by the first attempt and waits in the mail's sealed row, so that however often
 * the mail has to be sent, and whichever copy arrives, its link is one and works.
 */
@Injectable()
export class MailTokens {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokens,
    private readonly outgoing: OutgoingMailRepository,
    private readonly keys: KeyRing,
  ) {}

  /**
   * Null when the account is gone, disabled, or `isWanted` says no; when an earlier attempt did arrive and its link was
   * used; when a newer mail took the place of this one; when another instance has taken the mail over.
   */
  async of(
    claimed: ClaimedMail,
    mail: OutgoingMail,
    userId: string,
    isWanted: (user: UserEntity) => boolean,
  ): Promise<MailToken | null> {
    return await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      if (user === null || user.disabledAt !== null || !isWanted(user)) return null;
      const token = await this.tokenFor(tx, claimed, mail, user);
      return token === null ? null : { user, token };
    });
  }

  private async tokenFor(
    tx: Tx,
    claimed: ClaimedMail,
    mail: OutgoingMail,
    user: UserEntity,
  ): Promise<string | null> {
    if (mail.token !== undefined)
      return (await this.tokens.renew(tx, user, mail.kind, mail.token)) ? mail.token : null;
    const token = randomToken();
    const sealed = this.keys.seal(JSON.stringify({ ...mail, token }), outgoingMailPlace(claimed.id));
    if (!(await this.outgoing.replaceMessage(tx, claimed, sealed))) return null;
    return await this.tokens.issue(tx, user, mail.kind, token);
  }
}
