import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { Accounts } from '../../accounts/accounts.js';
import { NewPassword } from '../../passwords/new-password.js';
import { requireStorableMetadata } from '../../users/metadata.js';
import type { Metadata } from '../../users/metadata.js';
import type { RedirectRequest } from '../../redirects/redirect-urls.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { ManagedMails } from '../mails/managed-mails.js';
import type { ManagedMail } from '../mails/managed-mails.js';
import type { UserAct } from './managed-users.js';

export interface NewManagedAccount {
  readonly email: string;
  /** Null where the user sets one by recovery. */
  readonly password: string | null;
  readonly metadata: Metadata;
  readonly locale: string | null;
  /** What to send to the new user. */
  readonly mail: ManagedMail | null;
  /** Where the page of that mail ends. */
  readonly redirect?: RedirectRequest;
}

/** Accounts that an operator or a service key creates. */
@Injectable()
export class ManagedAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly newPassword: NewPassword,
    private readonly mails: ManagedMails,
  ) {}

  /**
   * Creates an account, whatever `identity.sign_up` says. Its address is not verified before a mail has proven it
   * (contract section 9.6).
   * @throws validation_failed, weak_password, email_taken, mail_not_configured, rate_limited, overloaded
   */
  async create(
    realmId: RealmId,
    { email, password, metadata, locale, mail, redirect: wanted = {} }: NewManagedAccount,
    by: Pick<UserAct, 'actor'> & { readonly origin: Origin },
  ): Promise<UserEntity> {
    requireStorableMetadata(metadata);
    const redirect = await this.mails.redirectOf(realmId, wanted);
    const passwordHash = password === null ? null : await this.newPassword.hash(password, by.origin);
    if (mail !== null) await this.mails.requireSendable(realmId, mail);
    return await this.database.transaction(async (tx) => {
      const account = { email, passwordHash, metadata, locale, emailVerified: false };
      const details = { by: by.actor.type };
      const user = await this.accounts.create(tx, realmId, account, by.origin, details, by.actor);
      if (user === null) throw new ServiceError('email_taken');
      if (mail !== null) await this.mails.request(tx, user, by, { mail, redirect });
      return user;
    });
  }
}
