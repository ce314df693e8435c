import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../../audit/index.js';
import type { Reader, Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { Accounts } from '../../accounts/accounts.js';
import { PasswordGuesses } from '../../guessing/password-guesses.js';
import { NewPassword } from '../../passwords/new-password.js';
import type { TokenPair } from '../../sessions/sessions.js';
import { SignUpRules } from '../../users/sign-up-rules.js';
import { UserRepository } from '../../users/user.repository.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { AddressProof } from '../address-proof.js';
import { SignIn } from '../sign-in.js';
import type { SignInOutcome } from '../sign-in.js';
import { VerificationMails } from './address-verification.js';
import { NO_METADATA } from '../../users/metadata.js';

/** What creating an account needs that no transaction should wait for. */
export interface PreparedAccount {
  readonly passwordHash: string;
  /** Whether the realm can send verification mails. */
  readonly verificationIsMailed: boolean;
}

/**
 * Accounts that begin with an invitation: created for an address without one, or verified by the reader of the
 * mailbox.
 */
@Injectable()
export class InvitedSignUp {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: Accounts,
    private readonly proof: AddressProof,
    private readonly newPassword: NewPassword,
    private readonly signIn: SignIn,
    private readonly verificationMails: VerificationMails,
    private readonly rules: SignUpRules,
  ) {}

  /** @throws sign_up_closed where an invitation makes no account */
  requireInvitable(): void {
    this.rules.requireInvitable();
  }

  /** To be called before the transaction of `create`. @throws sign_up_closed, validation_failed, weak_password, overloaded */
  async prepare(realmId: RealmId, password: string, origin: Origin): Promise<PreparedAccount> {
    this.rules.requireInvitable();
    const verificationIsMailed = await this.verificationMails.areSent(realmId);
    return { passwordHash: await this.newPassword.hash(password, origin), verificationIsMailed };
  }

  /** To be called before the transaction of `verifyByInvitation`. @throws validation_failed, weak_password, overloaded */
  async hash(password: string, origin: Origin): Promise<string> {
    return await this.newPassword.hash(password, origin);
  }

  /**
   * Creates an account and signs it in; null when the address has one. An unverified address gets a verification mail,
   * as after a sign-up.
   * @param isProven whether the invitation's token was only mailed and never shown in a response
   */
  async create(
    tx: Tx,
    realmId: RealmId,
    email: string,
    prepared: PreparedAccount,
    isProven: boolean,
    origin: Origin,
  ): Promise<SignInOutcome | null> {
    const { passwordHash, verificationIsMailed } = prepared;
    const account = { email, passwordHash, emailVerified: isProven, metadata: NO_METADATA };
    const user = await this.accounts.create(tx, realmId, account, origin, { by: 'invitation' });
    if (user === null) return null;
    if (!isProven && verificationIsMailed) await this.verificationMails.request(tx, user, null, origin);
    return await this.signIn.completeIn(tx, user, 'invitation', origin);
  }

  /**
   * Gives an account with an unproven address to the holder of a mailed token: its password and sessions end, and a new
   * session begins. Null if the account was deleted, disabled or proven in the meantime.
   * @param passwordHash of the new password; null leaves the account without one
   */
  async verifyByInvitation(
    tx: Tx,
    userId: string,
    passwordHash: string | null,
    origin: Origin,
  ): Promise<SignInOutcome | null> {
    const current = await this.users.lock(tx, userId);
    if (current === null || current.disabledAt !== null || current.emailVerified) return null;
    const proven: UserEntity = await this.proof.byOtherMail(tx, current, 'invitation', origin);
    if (passwordHash !== null) await this.users.setPasswordHash(tx, userId, passwordHash);
    return await this.signIn.completeIn(tx, { ...proven, passwordHash }, 'invitation', origin);
  }

  /** Creates an account within the limit of the client address. @throws rate_limited */
  async withinLimit<Result>(origin: Origin, work: () => Promise<Result>): Promise<Result> {
    return await this.rules.withinLimit(origin, work);
  }

  /** The tokens of a session that `create` or `verifyByInvitation` opened, after their transaction. */
  async issue(opened: SignInOutcome): Promise<TokenPair> {
    return await this.signIn.issue(opened);
  }
}

/** The accounts that invited people already have. */
@Injectable()
export class InvitedAccounts {
  constructor(
    private readonly users: UserRepository,
    private readonly guesses: PasswordGuesses,
    private readonly audit: AuditTrail,
  ) {}

  async find(handle: Tx | Reader, realmId: RealmId, email: string): Promise<UserEntity | null> {
    return await this.users.findByEmail(handle, realmId, email);
  }

  /**
   * Proves the account by its password, without opening a session.
   * @throws invalid_credentials, rate_limited, overloaded
   */
  async prove(user: UserEntity, password: string, origin: Origin): Promise<void> {
    const account = { realmId: user.realmId as RealmId, email: user.email };
    const hash = user.disabledAt === null ? user.passwordHash : null;
    if (await this.guesses.verifyGuess(account, hash, password, origin)) return;
    await this.audit.appendAlone(
      accountEvent(user.id, {
        actor: ANONYMOUS,
        action: 'session.sign_in_refused',
        origin,
        details: { reason: user.disabledAt === null ? 'wrong_password' : 'disabled', by: 'invitation' },
      }),
    );
    throw new ServiceError('invalid_credentials');
  }
}
