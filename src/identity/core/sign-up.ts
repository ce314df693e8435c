import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { Accounts } from './accounts.js';
import { demandStorableMetadata } from './metadata.js';
import { NewPassword } from './new-password.js';
import { Sessions } from './sessions.js';
import type { TokenPair } from './sessions.js';
import type { RealmId } from './user.repository.js';
import { SignUpRules } from './sign-up-rules.js';
import { VerificationMails } from './verification-mails.js';

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly metadata: Record<string, unknown>;
}

/** Sign-up by address and password. */
@Injectable()
export class SignUp {
  constructor(
    private readonly database: Database,
    private readonly newPassword: NewPassword,
    private readonly accounts: Accounts,
    private readonly verificationMails: VerificationMails,
    private readonly sessions: Sessions,
    private readonly rules: SignUpRules,
  ) {}

  /**
   * Creates an account, asks its address to be confirmed, and signs it in.
   * @throws sign_up_closed, validation_failed, email_taken, overloaded
   */
  async signUp(realmId: RealmId, registration: Registration, origin: Origin): Promise<TokenPair> {
    this.rules.demandOpen();
    return await this.register(realmId, registration, origin);
  }

  /** As `signUp`, for who may make accounts whatever the setting. @throws validation_failed, email_taken, overloaded */
  async register(realmId: RealmId, registration: Registration, origin: Origin): Promise<TokenPair> {
    const { email, password, metadata } = registration;
    demandStorableMetadata(metadata);
    const passwordHash = await this.newPassword.hash(password);
    const isMailed = await this.verificationMails.areSent(realmId);
    const opened = await this.database.transaction(async (tx) => {
      const account = { email, passwordHash, metadata, emailVerified: false };
      const user = await this.accounts.create(tx, realmId, account, origin);
      if (user === null) throw new ServiceError('email_taken');
      if (isMailed) await this.verificationMails.request(tx, user);
      return await this.sessions.open(tx, user, origin, 'sign_up');
    });
    return await this.sessions.issue(opened);
  }
}
