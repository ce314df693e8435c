import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { Accounts } from '../../accounts/accounts.js';
import { NewPassword } from '../../passwords/new-password.js';
import type { TokenPair } from '../../sessions/sessions.js';
import { requireStorableMetadata } from '../../users/metadata.js';
import { RedirectUrls } from '../../redirects/redirect-urls.js';
import type { RedirectRequest } from '../../redirects/redirect-urls.js';
import { SignUpRules } from '../../users/sign-up-rules.js';
import type { RealmId } from '../../users/user.repository.js';
import { SignIn } from '../sign-in.js';
import type { SignInOutcome } from '../sign-in.js';
import { VerificationMails } from './address-verification.js';
import type { Metadata } from '../../users/metadata.js';

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly metadata: Metadata;
  /** Where the page of the verification mail ends. */
  readonly redirect?: RedirectRequest;
  readonly locale?: string | null;
}

/** Sign-up by address and password. */
@Injectable()
export class SignUp {
  constructor(
    private readonly newPassword: NewPassword,
    private readonly accounts: Accounts,
    private readonly verificationMails: VerificationMails,
    private readonly signIn: SignIn,
    private readonly rules: SignUpRules,
    private readonly redirects: RedirectUrls,
  ) {}

  /**
   * Creates an account, sends a verification mail, and signs it in.
   * @throws sign_up_closed, validation_failed, weak_password, email_taken, rate_limited, overloaded
   */
  async signUp(realmId: RealmId, registration: Registration, origin: Origin): Promise<TokenPair> {
    this.rules.requireOpen();
    this.requireValid(registration);
    // A sign-in that waits for a factor is refused, and its account counts.
    const outcome = await this.rules.withinLimit(origin, () => this.create(realmId, registration, origin));
    return await this.signIn.issue(outcome);
  }

  /**
   * As `signUp`, for a program that creates accounts for others: whatever the setting, and without a limit by client
   * address.
   * @throws validation_failed, weak_password, email_taken, overloaded
   */
  async register(realmId: RealmId, registration: Registration, origin: Origin): Promise<TokenPair> {
    this.requireValid(registration);
    return await this.signIn.issue(await this.create(realmId, registration, origin));
  }

  private requireValid({ metadata, password }: Registration): void {
    requireStorableMetadata(metadata);
    this.newPassword.require(password);
  }

  private async create(realmId: RealmId, registration: Registration, origin: Origin): Promise<SignInOutcome> {
    const { email, password, metadata, locale = null, redirect: wanted = {} } = registration;
    const redirect = await this.redirects.require(realmId, wanted);
    const passwordHash = await this.newPassword.hash(password, origin);
    const isMailed = await this.verificationMails.areSent(realmId);
    return await this.signIn.open('sign_up', origin, async (tx) => {
      const account = { email, passwordHash, metadata, locale, emailVerified: false };
      const user = await this.accounts.create(tx, realmId, account, origin);
      if (user === null) throw new ServiceError('email_taken');
      if (isMailed) await this.verificationMails.request(tx, user, redirect, origin);
      return user;
    });
  }
}
