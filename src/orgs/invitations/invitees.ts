import { Inject, Injectable } from '@nestjs/common';
import {
  InvitedSignUp,
  DEPLOYMENT_REALM,
  InvitedAccounts,
  PageEndings,
  SessionLiveness,
} from '../../identity/index.js';
import type {
  InvitationDescription,
  PreparedAccount,
  RedirectList,
  SignInOutcome,
  TokenPair,
  UserEntity,
} from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Caller, Origin } from '../../http/index.js';
import type { Invitation } from './invitation.repository.js';

/** The credentials of the person who accepts, besides the token. */
export interface Presented {
  readonly password: string | null;
  readonly caller: Caller | null;
  readonly origin: Origin;
}

/** Who accepts: an account that stays as it is, one whose address the mailed token verifies, or a new one. */
export type Invitee =
  | { readonly kind: 'account'; readonly account: UserEntity; readonly sessionId: string | null }
  | { readonly kind: 'unverified'; readonly account: UserEntity; readonly passwordHash: string | null }
  | { readonly kind: 'new'; readonly prepared: PreparedAccount };

/** The account that accepted, with its session if one was opened. */
export interface AcceptedInvitee {
  readonly user: UserEntity;
  readonly opened: SignInOutcome | null;
}

/** Finds out which account accepts an invitation, before the transaction and again in it. */
@Injectable()
export class Invitees {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly accounts: InvitedAccounts,
    private readonly signUp: InvitedSignUp,
    private readonly sessions: SessionLiveness,
    private readonly endings: PageEndings,
  ) {}

  /** Where the page may end; to be called before the transaction of `endPage`. */
  async redirectList(): Promise<RedirectList> {
    return await this.endings.listOf(DEPLOYMENT_REALM);
  }

  /** Where the page ends for the user who accepted. */
  async endPage(
    tx: Tx,
    user: UserEntity,
    { redirectTo }: Invitation,
    list: RedirectList,
  ): Promise<string | null> {
    const redirect = redirectTo === null ? null : { url: redirectTo, codeChallenge: null };
    return (await this.endings.end(tx, user, redirect, 'invitation', list)).location;
  }

  /**
   * What accepting requires: a new password, or the account of the address; and the language of that account.
   * @throws sign_up_closed where it requires an account that cannot be created
   */
  async needs(invitation: Invitation): Promise<Pick<InvitationDescription, 'needs' | 'locale'>> {
    const account = await this.accountOf(invitation);
    if (account === null) this.signUp.requireInvitable();
    const needs = account === null || isVerifiableBy(account, invitation) ? 'password' : 'sign_in';
    return { needs, locale: account?.locale ?? null };
  }

  /**
   * Finds the invitee by access token, or by the password of a new account.
   * @throws user_required, wrong_account, sign_in_required, email_not_verified, sign_up_closed, validation_failed,
   *   weak_password, overloaded
   */
  async byCredentials(invitation: Invitation, { caller, password, origin }: Presented): Promise<Invitee> {
    const account = await this.accountOf(invitation);
    if (caller !== null && caller.type !== 'user') throw new ServiceError('user_required');
    if (caller !== null && caller.userId !== account?.id) throw new ServiceError('wrong_account');
    if (account === null) return await this.newInvitee(password, origin);
    if (caller === null && !isVerifiableBy(account, invitation)) throw new ServiceError('sign_in_required');
    if (isVerifiableBy(account, invitation))
      return await this.unverifiedInvitee(account, password, caller !== null, origin);
    this.requireUsable(account);
    return { kind: 'account', account, sessionId: caller?.sessionId ?? null };
  }

  /**
   * Finds the invitee on the page: by the password of the account, or with a new password for an account that nobody
   * has proven yet.
   * @throws invalid_credentials, rate_limited, email_not_verified, sign_up_closed, validation_failed, weak_password,
   *   overloaded
   */
  async byPassword(invitation: Invitation, password: string, origin: Origin): Promise<Invitee> {
    const account = await this.accountOf(invitation);
    if (account === null) return await this.newInvitee(password, origin);
    if (isVerifiableBy(account, invitation))
      return await this.unverifiedInvitee(account, password, false, origin);
    await this.accounts.prove(account, password, origin);
    this.requireUsable(account);
    return { kind: 'account', account, sessionId: null };
  }

  /**
   * Accepts for the invitee, if the checks still hold.
   * @param invitation read in this transaction
   * @throws sign_in_required if the address has got an account since, or the account another proof
   */
  async join(tx: Tx, invitation: Invitation, invitee: Invitee, origin: Origin): Promise<AcceptedInvitee> {
    if (invitee.kind === 'account')
      return { user: await this.confirmed(tx, invitee.account, invitee.sessionId), opened: null };
    const { email, provesAddress } = invitation;
    const opened =
      invitee.kind === 'new'
        ? await this.signUp.create(tx, DEPLOYMENT_REALM, email, invitee.prepared, provesAddress, origin)
        : provesAddress
          ? await this.signUp.verifyByInvitation(tx, invitee.account.id, invitee.passwordHash, origin)
          : null;
    if (opened === null) throw new ServiceError('sign_in_required');
    return { user: opened.user, opened };
  }

  /** Runs `work`. For a new account, it counts as a sign-up. @throws rate_limited */
  async counted<Result>(invitee: Invitee, origin: Origin, work: () => Promise<Result>): Promise<Result> {
    return invitee.kind === 'new' ? await this.signUp.withinLimit(origin, work) : await work();
  }

  /** The tokens of the session that was opened, if one was. To be called after the transaction. */
  async sessionOf(opened: SignInOutcome | null): Promise<TokenPair | null> {
    return opened === null ? null : await this.signUp.issue(opened);
  }

  private async accountOf({ email }: Invitation): Promise<UserEntity | null> {
    return await this.accounts.find(this.database.reader, DEPLOYMENT_REALM, email);
  }

  private async newInvitee(password: string | null, origin: Origin): Promise<Invitee> {
    if (password === null) throw passwordNeeded();
    return { kind: 'new', prepared: await this.signUp.prepare(DEPLOYMENT_REALM, password, origin) };
  }

  private async unverifiedInvitee(
    account: UserEntity,
    password: string | null,
    isCaller: boolean,
    origin: Origin,
  ): Promise<Invitee> {
    // Without a session and a password, the account could not be used.
    if (password === null && !isCaller) throw new ServiceError('sign_in_required');
    const passwordHash = password === null ? null : await this.signUp.hash(password, origin);
    return { kind: 'unverified', account, passwordHash };
  }

  private requireUsable({ emailVerified }: UserEntity): void {
    if (this.config.identity.requireVerifiedEmail && !emailVerified)
      throw new ServiceError('email_not_verified');
  }

  /** The account as it is now. If it was disabled or its password changed, the proof no longer holds. */
  private async confirmed(
    tx: Tx,
    { id, email, passwordHash }: UserEntity,
    sessionId: string | null,
  ): Promise<UserEntity> {
    // First, since it waits for transactions that delete the account or end its sessions.
    const isLive = sessionId === null || (await this.sessions.isLive(tx, { userId: id, sessionId }));
    const current = await this.accounts.find(tx, DEPLOYMENT_REALM, email);
    if (!isLive) throw new ServiceError(current?.id === id ? 'session_revoked' : 'invalid_access_token');
    const isProven =
      current?.id === id && current.disabledAt === null && current.passwordHash === passwordHash;
    if (current === null || !isProven) throw new ServiceError('sign_in_required');
    return current;
  }
}

/** Whether the token proves more than the account's own sign-up did: that its holder reads the mail of the address. */
function isVerifiableBy(account: UserEntity, invitation: Invitation): boolean {
  return invitation.provesAddress && !account.emailVerified && account.disabledAt === null;
}

function passwordNeeded(): ServiceError {
  return new ServiceError('validation_failed', {
    details: [{ path: 'password', message: 'is needed: the invited address has no account yet' }],
  });
}
